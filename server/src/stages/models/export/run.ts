import fs from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { Artifact, Parity, Quantization } from '#contracts/entities/model.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { artifactId, CARD, makePart, settle, slug } from '../registry/folder.ts'
import { placeBelow } from '#server/within.ts'
import type { InspectInput, Inspected } from '../registry/inspect.job.ts'
import type { Registry } from '../service.ts'
import { GGUF_TAKES, requireDiskSpace } from './check.ts'
import { compareAnswers } from './compare.ts'
import { modelfileOf, templateOf } from './modelfile.ts'
import type { ExportDeps, ExportRequest, Weights, Workshop } from './types.ts'

const INSPECT_JOB = new URL('../registry/inspect.job.ts', import.meta.url)

interface Made extends Pick<Artifact, 'format' | 'quantization' | 'made'> {
  /** Folder that takes its place below the run's. */
  folder: string
  /** The file in it that counts; null: all of the folder. */
  file: string | null
  parity: Parity | null
}

export interface ExportParts {
  core: Pick<Core, 'workers' | 'tx' | 'now'>
  registry: Registry
  deps: ExportDeps & {
    /** Rows of a data set that no run learns from; null if there are none. */
    testFile: (datasetId: string) => string | null
  }
}

/** Makes an export in its own folder, which takes its place at the end: merge → convert → quantize → parity. */
export async function runExport(
  { core, registry, deps }: ExportParts,
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
  const part = makePart(modelFolder)
  const shop: Workshop = {
    part,
    signal: job.signal,
    progress: job.progress,
    tool: (config, phaseLabel) =>
      deps.runTool({ interpreter, config, folder: part, signal: job.signal }, ({ phase, done, total, unit }) =>
        job.progress({ phase: phaseLabel ?? phase, done, total, unit }),
      ),
  }
  const present = (artifact: string) => registry.get(id).artifacts.find((one) => one.id === artifact && one.state === 'present')

  const heldOut = (): string | null => {
    const { val } = origin.files
    if (val !== null && fs.existsSync(val)) return val
    return origin.lineage.datasetId === null ? null : deps.testFile(origin.lineage.datasetId)
  }
  const compared = (model: string) => (request.parity ? compareAnswers(shop, weights, model, heldOut(), core.now) : null)
  /** `then`: room that is needed beside the merged model, in sizes of it. */
  const merge = async (then: number): Promise<{ folder: string; dtype: string }> => {
    await requireDiskSpace(part, weights.model, 1 + then)
    const folder = path.join(part, 'merged')
    const facts = await shop.tool({ command: 'merge', ...weights, output: folder })
    return { folder, dtype: String(facts['dtype']) }
  }
  const keep = async ({ format, quantization, folder, file, made, parity }: Made): Promise<Artifact> => {
    shop.progress({ phase: 'saving', done: 0, total: null, unit: 'files' })
    const input: InspectInput = { place: file ?? folder, weights: null }
    const found = await core.workers.run<Inspected>(INSPECT_JOB, input, { lane: 'bulk', signal: job.signal })
    job.signal.throwIfAborted()
    const own = artifactId(format, quantization)
    const place = placeBelow(modelFolder, own)
    settle(folder, place)
    core.tx(() => {
      const { files, bytes, sha256 } = found
      const kept = file === null ? place : path.join(place, path.basename(file))
      store.putArtifact(id, { id: own, format, quantization, path: kept, files, bytes, sha256, made, parity, createdAt: core.now() })
      registry.publishChange(id)
    })
    return present(own)!
  }

  const makeMerged = async (): Promise<Artifact> => {
    const { folder, dtype } = await merge(0)
    return keep({ format: 'merged', quantization: null, folder, file: null, made: dtype, parity: await compared(folder) })
  }
  const makeGguf = async (quantization: Quantization): Promise<Artifact> => {
    const merged = present('merged')?.path
    if (merged !== undefined) await requireDiskSpace(part, merged, GGUF_TAKES[quantization])
    const model = merged ?? (await merge(GGUF_TAKES[quantization])).folder
    const folder = path.join(part, 'gguf')
    fs.mkdirSync(folder, { mode: 0o700 })
    const file = path.join(folder, `${slug(name)}-${quantization}.gguf`)
    const quantizer = deps.quantizer()
    const facts = await shop.tool({ command: 'gguf', model, output: file, quantization, quantizer, threads: null })
    return keep({ format: 'gguf', quantization, folder, file, made: String(facts['way']), parity: await compared(file) })
  }
  const makeOllama = async (quantization: Quantization): Promise<Artifact> => {
    const gguf = present(artifactId('gguf', quantization)) ?? (await makeGguf(quantization))
    const folder = path.join(part, 'ollama')
    fs.mkdirSync(folder, { mode: 0o700 })
    const file = path.join(folder, 'Modelfile')
    const called = `bashgym/${slug(name)}:${quantization}`
    fs.writeFileSync(file, modelfileOf({ gguf: gguf.path, name, template: templateOf(trained) }), { mode: 0o600 })
    const program = deps.ollama.find()
    if (program !== null) {
      shop.progress({ phase: 'ollama', done: 0, total: null, unit: 'steps' })
      await deps.ollama.create(program, called, file, job.signal)
    }
    const place = placeBelow(modelFolder, artifactId('ollama', quantization), 'Modelfile')
    const made = program === null ? `ollama create ${called} -f ${quoted(place)}` : `in Ollama as ${called}`
    return keep({ format: 'ollama', quantization, folder, file, made, parity: gguf.parity })
  }

  try {
    const { format, quantization } = request
    const artifact = await (format === 'merged' ? makeMerged() : format === 'gguf' ? makeGguf(quantization) : makeOllama(quantization))
    await writeFileAtomic(path.join(modelFolder, CARD), registry.card(id), { mode: 0o600 })
    return artifact
  } finally {
    fs.rmSync(part, { recursive: true, force: true })
  }
}

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)
