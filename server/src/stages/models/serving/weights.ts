import path from 'node:path'
import type { Artifact } from '#contracts/entities/model.ts'
import { AppError } from '#contracts/errors.ts'
import { baseProblem, isGguf } from '../registry/base.ts'
import type { Registry } from '../service.ts'
import { type TrialCopy, trialKey } from './trial-copy.ts'

export interface ServeRequest {
  artifact?: string | undefined
  base: boolean
}

/** The weights that a request means, and how they are named. Throws if they are missing. */
export function weightsOf(
  registry: Registry,
  id: string,
  { artifact, base }: ServeRequest,
): { weightsKey: string; label: string; artifact: Artifact | null; source: { file: string } | TrialCopy } {
  const model = registry.get(id)
  const { origin } = registry.store.require(id)
  if (base) {
    requireModel(origin.basePath)
    const key = `base-${model.lineage.baseHash ?? path.basename(origin.basePath)}`
    const source = isGguf(origin.basePath) ? { file: origin.basePath } : { model: origin.basePath, adapter: null, key }
    return { weightsKey: key, label: model.lineage.baseModel, artifact: null, source }
  }
  const files = model.artifacts.filter(({ format, state }) => format === 'gguf' && state === 'present')
  const chosen =
    artifact === undefined
      ? PREFERRED.flatMap((one) => files.find(({ quantization }) => quantization === one) ?? [])[0]
      : files.find((one) => one.id === artifact)
  if (artifact !== undefined && !chosen)
    throw new AppError('not_found', { message: `This model has no GGUF export "${artifact}" to load.`, hint: 'Export it first.' })
  if (chosen)
    return {
      weightsKey: `${id} ${chosen.id}`,
      label: `${model.name}, ${chosen.quantization}`,
      artifact: chosen,
      source: { file: chosen.path },
    }
  const trained = registry.trainedWeights(id)
  if (origin.isAdapter) requireModel(origin.basePath)
  const weights = { model: origin.isAdapter ? origin.basePath : trained.path, adapter: origin.isAdapter ? trained.path : null }
  return { weightsKey: `${id} trial`, label: model.name, artifact: null, source: { ...weights, key: trialKey(id) } }
}

/** Order of preference for trying out: accurate but not large. f16 is the largest. */
const PREFERRED = ['q8_0', 'q5_k_m', 'q4_k_m', 'f16'] as const

function requireModel(base: string): void {
  const problem = baseProblem(base)
  if (problem !== null) throw new AppError('export_unavailable', { message: problem, hint: 'Restore it and try again.' })
}
