/**
 * Builds images. Commands run in our own containers, with the isolation and limits of every machine; the Engine itself only copies
 * files and sets settings, from lines that `dockerfile.ts` made. Nothing is downloaded: images are named by their id.
 */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type Docker from 'dockerode'
import { pack } from 'tar-stream'
import { type MachineLimits, NotRun } from '../sandbox/index.ts'
import { callEngine, callEngineIfExists, removeFromEngine } from './client.ts'
import { type BuildPlan, type BuildStep, type Origin, readDockerfile } from './dockerfile.ts'

export interface ImageToBuild {
  name: string
  dockerfile: string
  /** Packs the files of the context, each time anew, without a Dockerfile at its root. */
  context: () => { tar: Readable; done: Promise<unknown> }
  /** Of each command; the disk limit is for all steps together. */
  limits: MachineLimits
  signal: AbortSignal
}

interface ImageConfig {
  Env?: string[] | null
  OnBuild?: string[] | null
  Shell?: string[] | null
  User?: string
  WorkingDir?: string
}

/** What a command of a build runs with. */
export interface StepCommand {
  image: string
  argv: readonly string[]
  env: readonly string[]
  user: string
  workdir: string
  limits: MachineLimits
  signal: AbortSignal
}

/** Runs a command in a container of its own, and returns the id of the image that it leaves. Throws `NotRun` if it fails. */
export type RunStep = (command: StepCommand) => Promise<string>

const TAIL_LINES = 20
const EMPTY = 'scratch'
/** What the end of a tar archive consists of. */
const TAR_END_BYTES = 1024

/** Throws `NotRun` with the output of the failed step. */
export async function buildImage(docker: Docker, build: ImageToBuild, runStep: RunStep): Promise<void> {
  const { plan, images, problem } = readDockerfile(build.dockerfile)
  if (plan === null) throw new NotRun('image_unavailable', `Its Dockerfile cannot be built here. ${problem}`)
  const bases = new Map<string, string>()
  for (const image of images) bases.set(image, await idOf(docker, image))
  const made: string[] = []
  let last: string | null = null
  try {
    last = await buildStages({ docker, build, runStep, plan, bases, made })
    if (last === EMPTY) throw new NotRun('image_unavailable', 'The image would be empty.')
    const { 1: repo, 2: tag = 'latest' } = /^(.*?)(?::([^/:]*))?$/.exec(build.name)!
    await callEngine(docker.getImage(last).tag({ repo: repo!, tag }))
  } finally {
    // what the image consists of is kept by the Engine, because others depend on it
    for (const id of made.toReversed()) if (id !== last) await removeFromEngine(() => docker.getImage(id).remove()).catch(() => {})
  }
}

/** An image with ONBUILD would add instructions of its own to the build. */
async function idOf(docker: Docker, image: string): Promise<string> {
  const found = await callEngineIfExists(docker.getImage(image).inspect())
  if (found === null)
    throw new NotRun('image_unavailable', `The image ${image} is not on this machine. Images are never downloaded automatically.`)
  if ((found.Config as ImageConfig).OnBuild?.length)
    throw new NotRun('image_unavailable', `The image ${image} adds steps to the builds that start from it (ONBUILD), so it is not used.`)
  return found.Id
}

interface Work {
  docker: Docker
  build: ImageToBuild
  runStep: RunStep
  plan: BuildPlan
  /** The ids of images that were there before. */
  bases: ReadonlyMap<string, string>
  /** Images that commands left. */
  made: string[]
}

/** Returns the id of the last stage. */
async function buildStages(work: Work): Promise<string> {
  const { docker, plan, bases, made, build } = work
  const stages: string[] = []
  const idFor = (origin: Origin) => ('stage' in origin ? stages[origin.stage]! : bases.get(origin.image)!)
  let usedBytes = 0
  for (const { base, steps } of plan.stages) {
    let image = base === null ? EMPTY : idFor(base)
    let bytes = await sizeOf(docker, image)
    let settings: string[] = []
    const args: string[] = []
    for (const [index, step] of steps.entries()) {
      build.signal.throwIfAborted()
      if (step.kind === 'run') made.push((image = await run(work, { image, args, command: step.command })))
      else {
        if (step.kind === 'set' && step.line.startsWith('ARG ')) args.push(step.line)
        else settings.push(lineOf(step, idFor))
        const next = steps[index + 1]
        if (settings.length === 0 || (step.kind === 'set' && next?.kind === 'set')) continue // several settings at once
        image = await apply(work, { image, lines: [...args, ...settings], hasFiles: step.kind === 'copy' && step.from === null })
        settings = []
      }
      const grown = await sizeOf(docker, image)
      usedBytes += Math.max(grown - bytes, 0)
      bytes = grown
      if (usedBytes > build.limits.diskBytes)
        throw new NotRun('image_unavailable', `The image would use more disk than the limit of ${build.limits.diskBytes} bytes.`)
    }
    stages.push(image)
  }
  return stages.at(-1)!
}

function lineOf(step: Exclude<BuildStep, { kind: 'run' }>, idFor: (origin: Origin) => string): string {
  if (step.kind === 'set') return step.line
  return `COPY ${step.from === null ? '' : `--from=${idFor(step.from)} `}${step.line}`
}

const sizeOf = async (docker: Docker, image: string): Promise<number> =>
  image === EMPTY ? 0 : (await callEngine(docker.getImage(image).inspect())).Size

/** Runs a command in the settings that the image and the arguments of the build give it. */
async function run(work: Work, { image, args, command }: { image: string; args: readonly string[]; command: string | string[] }) {
  const { docker, build, runStep } = work
  if (image === EMPTY) throw new NotRun('image_unavailable', 'A command cannot run in an empty image.')
  const config = await configOf(docker, image)
  const names = args.flatMap((line) => /^ARG\s+([A-Za-z_]\w*)/.exec(line)?.[1] ?? [])
  const withArgs = names.length === 0 ? null : await apply(work, { image, lines: [...args, ...names.map((name) => `ENV ${name}="\${${name}}"`)], hasFiles: false }) // prettier-ignore
  return runStep({
    image,
    argv: typeof command === 'string' ? [...(config.Shell ?? ['/bin/sh', '-c']), command] : command,
    env: (withArgs === null ? config : await configOf(docker, withArgs)).Env ?? [],
    user: config.User || '0',
    workdir: config.WorkingDir || '/',
    limits: build.limits,
    signal: build.signal,
  })
}

const configOf = async (docker: Docker, image: string): Promise<ImageConfig> => (await callEngine(docker.getImage(image).inspect())).Config

/** Lets the Engine carry out lines without commands; returns the id of the image. */
async function apply(work: Work, { image, lines, hasFiles }: { image: string; lines: readonly string[]; hasFiles: boolean }) {
  const { docker, build, plan } = work
  const dockerfile = [...plan.globals, `FROM ${image}`, ...lines, ''].join('\n')
  const context = hasFiles ? build.context() : null
  const options = { networkmode: 'none', rm: true, forcerm: true, abortSignal: build.signal }
  const events = await callEngine(docker.buildImage(Readable.from(withDockerfile(dockerfile, context?.tar ?? null)), options))
  const printed: string[] = []
  let failure: string | null = null
  let id: string | null = null
  for await (const line of createInterface({ input: events })) {
    const event = JSON.parse(line) as { stream?: string; error?: string; aux?: { ID?: string } } // the Engine's format
    if (event.stream !== undefined && event.stream.trim() !== '') printed.push(event.stream.trimEnd())
    id = event.aux?.ID ?? id
    failure = event.error ?? failure
  }
  build.signal.throwIfAborted()
  await context?.done // prefers the error of an unreadable file
  if (failure !== null || id === null)
    throw new NotRun('image_unavailable', `${failure ?? 'Docker made no image'}\n${printed.slice(-TAIL_LINES).join('\n')}`)
  return id
}

/** A tar archive that begins with our Dockerfile. */
async function* withDockerfile(dockerfile: string, files: Readable | null): AsyncGenerator<Buffer> {
  const archive = pack()
  archive.entry({ name: 'Dockerfile' }, dockerfile)
  archive.finalize()
  const first = await buffer(Readable.from(archive))
  yield files === null ? first : first.subarray(0, -TAR_END_BYTES)
  if (files !== null) yield* files as AsyncIterable<Buffer>
}
