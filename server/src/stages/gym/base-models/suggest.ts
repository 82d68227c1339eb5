import type { BaseModel } from '#contracts/entities/base-model.ts'
import type { ComputeDevice } from '#contracts/entities/run.ts'

type Suggestion = { id: string; why: 'newest-run' | 'default' | 'fits' } | null

/**
 * The model preselected for a new run: the newest run's, otherwise the default, otherwise the best-fitting one. Of these
 * the largest, or without a GPU the smallest, because a CPU is slow. Only models that can express the tool calls of sessions, and
 * no results of runs, which learn from rewards or were trained on the same rows already.
 */
export function suggestModel(
  models: readonly BaseModel[],
  { newestBaseModel, wanted, device }: { newestBaseModel: string | null; wanted: string; device: ComputeDevice | null },
): Suggestion {
  const usable = models.filter(
    ({ problem, fit, writesCalls, source }) => problem === null && fit !== 'no' && writesCalls !== false && source !== 'own',
  )
  const isHere = (id: string | null) => usable.some((model) => model.id === id)
  if (newestBaseModel !== null && isHere(newestBaseModel)) return { id: newestBaseModel, why: 'newest-run' }
  if (isHere(wanted)) return { id: wanted, why: 'default' }
  const sign = device?.kind === 'cuda' ? -1 : 1
  const [best] = usable.toSorted(
    (a, b) =>
      FIT.indexOf(a.fit) - FIT.indexOf(b.fit) ||
      Number(a.format === 'gguf') - Number(b.format === 'gguf') ||
      sign * ((a.parameters ?? 0) - (b.parameters ?? 0)),
  )
  return best ? { id: best.id, why: 'fits' } : null
}

const FIT: readonly BaseModel['fit'][] = ['yes', 'tight', 'unknown', 'no']
