import type { HubModel } from '#contracts/entities/base-model.ts'
import type { ComputeDevice } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import { distinct, type Endpoint, freeBytes, presentBytes, repoFiles, type RepoFile, repoFolder, repoInfo, repoText } from '#server/adapters/hub/index.ts' // prettier-ignore
import { configFacts, jsonOf } from './config-facts.ts'
import { templateFilesOf } from './facts.ts'
import { fitOfShape, parametersOfShape } from './fit.ts'
import { filesProblem, neededFiles } from './needed-files.ts'
import type { WritesCalls } from './writes-calls.ts'

export interface LookUpInput {
  endpoint: Endpoint
  id: string
  ref: string
  /** Cache folder for a download. */
  folder: string
  device: ComputeDevice | null
  writesCalls: WritesCalls
  signal: AbortSignal
}

/** Describes a model on the hub, without downloading weights. */
export async function lookUp({ endpoint, id, ref, folder, device, writesCalls, signal }: LookUpInput): Promise<HubModel> {
  const info = await repoInfo(endpoint, id, ref, signal)
  const all = await repoFiles(endpoint, id, info.revision, signal)
  const files = neededFiles(all)
  const bytes = sizeOf(distinct(files))
  const bytesHere = await presentBytes(repoFolder(folder, id), distinct(files))
  const free = await freeBytes(folder).catch(() => null)
  const readText = (name: string) => (all.some(({ path }) => path === name) ? repoText(endpoint, id, info.revision, name, signal) : null)
  const basics = {
    id,
    ref,
    revision: info.revision,
    page: `${endpoint.address}/${id}`,
    license: info.license,
    gated: info.gated,
    private: info.private,
    files: files.map(({ path, bytes: size }) => ({ path, bytes: size })),
    bytes,
    bytesHere,
    folder,
    freeBytes: free,
  }
  const unknown = { architecture: null, parameters: info.parameters, contextLength: null, writesCalls: null, fit: 'unknown' as const }
  const filesMessage = filesProblem(all)
  if (filesMessage !== null) return { ...basics, ...unknown, problem: filesMessage, hint: null }
  try {
    const config = jsonOf((await readText('config.json')) ?? '')
    if (config === null) return { ...basics, ...unknown, problem: 'Its config.json cannot be read.', hint: null }
    const { architectureName, contextLength, problem } = configFacts(config)
    const [jinja, tokenizerConfig] = await Promise.all([readText('chat_template.jinja'), readText('tokenizer_config.json')])
    const modelProblem = problem ?? spaceProblem(bytes - bytesHere, free)
    return {
      ...basics,
      architecture: architectureName,
      parameters: info.parameters ?? parametersOfShape(config),
      contextLength,
      writesCalls: await writesCalls(templateFilesOf(jinja, tokenizerConfig)),
      fit: fitOfShape(config, info.parameters, device),
      problem: modelProblem,
      hint: null,
    }
  } catch (error) {
    // anyone may read the description of a gated model, but not its files
    if (!(error instanceof AppError) || error.code !== 'model_gated') throw error
    return { ...basics, ...unknown, problem: error.message, hint: error.hint ?? null }
  }
}

const sizeOf = (files: readonly RepoFile[]): number => files.reduce((sum, file) => sum + file.bytes, 0)

function spaceProblem(missing: number, free: number | null): string | null {
  if (free === null || missing <= free) return null
  return 'There is not enough free space in the folder for downloads.'
}
