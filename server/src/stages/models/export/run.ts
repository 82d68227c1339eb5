import fs from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { Artifact, Parity, Quantization } from '#contracts/entities/model.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { artifactId, CARD, makeWorkFolder, moveIntoPlace, slug } from '../registry/folder.ts'
import { placeBelow } from '#server/within.ts'
import type { InspectInput, Inspected } from '../registry/inspect.job.ts'
import type { Registry } from '../service.ts'
import { GGUF_TAKES, requireDiskSpace } from './check.ts'
import { compareAnswers } from './compare.ts'
import { contextOf, modelfileOf, templateOf } from './modelfile.ts'
import type { ExportDeps, ExportRequest, Weights, ExportContext } from './types.ts'

const INSPECT_JOB = new URL('../registry/inspect.job.ts', import.meta.url)

interface ExportResult extends Pick<Artifact, 'format' | 'quantization' | 'made'> {
  /** Finished folder, to be moved below the run's folder. */
  folder: string
  /** The artifact's file in the folder; null if the whole folder is the artifact. */
  file: string | null
  parity: Parity | null
}

export interface ExportRunDeps {
  core: Pick<Core, 'workers' | 'tx' | 'now'>
  registry: Registry
  deps: ExportDeps & {
    /** File with the test split of a data set; null if it has none. */
    testFile: (datasetId: string) => string | null
  }
}

/** Makes an export in a work folder and moves it to its place at the end: merge → convert → quantize → parity. */
export async function runExport(
  { core, registry, deps }: ExportRunDeps,
  id: string,
  request: ExportRequest,
  job: JobContext,
): Promise<Artifact> {
  const { store } = registry
  const { no, name, origin } = store.require(id)
  const trained = store.artifacts(no)[0]!.path
  const weights: Weights = origin.isAdapter ? { model: origin.basePath, adapter: trained } : { model: trained, adapter: null }
  const interpreter = await deps.interpreter()
  const modelFolder = registry.folder(id)
  const workFolder = makeWorkFolder(modelFolder)
  const context: ExportContext = {
    workFolder,
    signal: job.signal,
    progress: job.progress,
    tool: (config, shown) =>
      deps.runTool({ interpreter, config, folder: workFolder, signal: job.signal }, (progress) =>
        job.progress(shown?.(progress) ?? progress),
      ),
  }
  const present = (artifact: string) => registry.get(id).artifacts.find((one) => one.id === artifact && one.state === 'present')

  const heldOut = (): string | null => {
    const { val } = origin.files
    if (val !== null && fs.existsSync(val)) return val
    return origin.lineage.datasetId === null ? null : deps.testFile(origin.lineage.datasetId)
  }
  const compareWith = (model: string) => (request.parity ? compareAnswers(context, weights, model, heldOut(), core.now) : null)
  /** `extraSize`: disk space needed in addition to the merged model, in sizes of it. */
  const merge = async (extraSize: number): Promise<{ folder: string; dtype: string }> => {
    await requireDiskSpace(workFolder, weights.model, 1 + extraSize)
    const folder = path.join(workFolder, 'merged')
    const facts = await context.tool({ command: 'merge', ...weights, output: folder })
    return { folder, dtype: String(facts['dtype']) }
  }
  const register = async ({ format, quantization, folder, file, made, parity }: ExportResult): Promise<Artifact> => {
    context.progress({ phase: 'saving', done: 0, total: null, unit: 'files' })
    const input: InspectInput = { place: file ?? folder, weights: null }
    const found = await core.workers.run<Inspected>(INSPECT_JOB, input, { lane: 'bulk', signal: job.signal })
    job.signal.throwIfAborted()
    const artifactName = artifactId(format, quantization)
    const place = placeBelow(modelFolder, artifactName)
    moveIntoPlace(folder, place)
    core.tx(() => {
      const { files, bytes, sha256 } = found
      const artifactPath = file === null ? place : path.join(place, path.basename(file))
      store.putArtifact(id, {
        id: artifactName,
        format,
        quantization,
        path: artifactPath,
        files,
        bytes,
        sha256,
        made,
        parity,
        createdAt: core.now(),
      })
      registry.publishChange(id)
    })
    return present(artifactName)!
  }

  const makeMerged = async (): Promise<Artifact> => {
    const { folder, dtype } = await merge(0)
    return register({ format: 'merged', quantization: null, folder, file: null, made: dtype, parity: await compareWith(folder) })
  }
  const makeGguf = async (quantization: Quantization): Promise<Artifact> => {
    const merged = present('merged')?.path
    if (merged !== undefined) await requireDiskSpace(workFolder, merged, GGUF_TAKES[quantization])
    const model = merged ?? (await merge(GGUF_TAKES[quantization])).folder
    const folder = path.join(workFolder, 'gguf')
    fs.mkdirSync(folder, { mode: 0o700 })
    const file = path.join(folder, `${slug(name)}-${quantization}.gguf`)
    const quantizer = deps.quantizer()
    const facts = await context.tool({ command: 'gguf', model, output: file, quantization, quantizer, threads: null })
    return register({ format: 'gguf', quantization, folder, file, made: String(facts['way']), parity: await compareWith(file) })
  }
  const makeOllama = async (quantization: Quantization): Promise<Artifact> => {
    const gguf = present(artifactId('gguf', quantization)) ?? (await makeGguf(quantization))
    const folder = path.join(workFolder, 'ollama')
    fs.mkdirSync(folder, { mode: 0o700 })
    const file = path.join(folder, 'Modelfile')
    const ollamaName = `bashgym/${slug(name)}:${quantization}`
    fs.writeFileSync(file, modelfileOf({ gguf: gguf.path, name, template: templateOf(trained), context: contextOf(trained) }), {
      mode: 0o600,
    })
    const program = deps.ollama.find()
    if (program !== null) {
      context.progress({ phase: 'ollama', done: 0, total: null, unit: 'steps' })
      await deps.ollama.create(program, ollamaName, file, job.signal)
    }
    const place = placeBelow(modelFolder, artifactId('ollama', quantization), 'Modelfile')
    const made = program === null ? `ollama create ${ollamaName} -f ${quoted(place)}` : `in Ollama as ${ollamaName}`
    return register({ format: 'ollama', quantization, folder, file, made, parity: null }) // Ollama was asked nothing
  }

  try {
    const { format, quantization } = request
    const artifact = await (format === 'merged' ? makeMerged() : format === 'gguf' ? makeGguf(quantization) : makeOllama(quantization))
    await writeFileAtomic(path.join(modelFolder, CARD), registry.card(id), { mode: 0o600 })
    return artifact
  } finally {
    fs.rmSync(workFolder, { recursive: true, force: true })
  }
}

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)
