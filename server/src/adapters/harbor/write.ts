import fs from 'node:fs'
import path from 'node:path'
import { stringify } from 'smol-toml'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'
import { quoted } from '../tools/shell-words.ts'

export interface HarborSource {
  /** `organisation/name` */
  name: string
  instruction: string
  image: string
  /** Copied into the image without `.git`; null for an empty working directory. */
  directory: string | null
  setup: readonly string[]
  check: string
  /** A script that solves it. */
  solution?: string | null
  metadata?: Record<string, unknown>
}

export interface HarborFile {
  /** Relative to the folder of the task. */
  path: string
  text: string
  mode: number
}

const WORKDIR = '/app'
const MAX_FILE_BYTES = 2 * 1024 ** 3

/** The reward is 1 if the check exits with 0, else 0. */
const testScript = (check: string): string =>
  `#!/bin/bash\nmkdir -p /logs/verifier\nif bash -c ${quoted(check)}; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi\n`

/** The check in a script of `testScript`; null for any other script. */
export function checkOfTestScript(script: string): string | null {
  const quotedCheck = /^if bash -c ('.*'); then echo 1 > /ms.exec(script)?.[1]
  const check = quotedCheck?.slice(1, -1).replaceAll(String.raw`'\''`, "'")
  return check !== undefined && testScript(check) === script ? check : null
}

/** The files of a Harbor task, except the files of its directory. */
export function harborFiles({ name, instruction, image, directory, setup, check, solution, metadata }: HarborSource): HarborFile[] {
  if (/[\r\n]/.test(image)) throw new AppError('invalid_request', { message: 'The name of an image must not contain a line break.' })
  const toml = { schema_version: '1.4', task: { name }, ...(metadata && { metadata }), environment: { workdir: WORKDIR } }
  const steps = [`FROM ${image}`, `WORKDIR ${WORKDIR}`, ...(directory === null ? [] : ['COPY files/ .'])]
  // As a JSON list, a command may have several lines.
  const runs = setup.map((command) => `RUN ${JSON.stringify(['/bin/bash', '-c', command])}`)
  return [
    { path: 'instruction.md', text: `${instruction.trimEnd()}\n`, mode: 0o644 },
    { path: 'task.toml', text: `${stringify(toml)}\n`, mode: 0o644 },
    { path: 'environment/Dockerfile', text: `${[...steps, ...runs].join('\n')}\n`, mode: 0o644 },
    { path: 'tests/test.sh', text: testScript(check), mode: 0o755 },
    ...(solution ? [{ path: 'solution/solve.sh', text: `#!/bin/bash\n${solution.trimEnd()}\n`, mode: 0o755 }] : []),
  ]
}

/** Writes a Harbor task into a folder that must not exist yet. */
export async function writeHarborTask(folder: string, source: HarborSource): Promise<void> {
  if (fs.existsSync(folder))
    throw new AppError('invalid_request', { message: `${folder} already exists. Choose another folder, or remove it.` })
  fs.mkdirSync(folder, { recursive: true })
  await inForeign(fs.realpathSync(folder), async (to) => {
    for (const { path: name, text, mode } of harborFiles(source)) await to.writeFile(name, text, { mode, limitBytes: Infinity })
    if (source.directory !== null) await copyFiles(source.directory, to)
  })
}

/** Links stay links; nothing else than files, folders and links can be copied. */
async function copyFiles(directory: string, to: ForeignFolder): Promise<void> {
  try {
    await inForeign(fs.realpathSync(directory), async (from) => {
      for await (const { name, kind } of from.walk('', (inner) => path.posix.basename(inner) !== '.git')) {
        if (path.posix.basename(name) === '.git') continue
        const copy = `environment/files/${name}`
        if (kind === 'folder') await to.makeFolder(copy)
        else if (kind === 'link') await to.makeLink(copy, await from.linkBytes(name))
        else await copyFile(from, name, to, copy)
      }
    })
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    throw new AppError('invalid_request', { message: `${directory} was not copied: ${error.message}.` })
  }
}

const copyFile = (from: ForeignFolder, name: string, to: ForeignFolder, copy: string): Promise<void> =>
  from.withFile(name, (handle, { size, mode }) => {
    if (size > MAX_FILE_BYTES) throw new ForeignFileError(name, 'too_large', `is larger than ${MAX_FILE_BYTES / 1024 ** 3} GB`)
    return to.writeFile(copy, handle.createReadStream({ autoClose: false }), { mode: mode & 0o777, limitBytes: MAX_FILE_BYTES })
  })
