import type { BaseModel } from '#contracts/entities/base-model.ts'
import type { ComputeDevice } from '#contracts/entities/run.ts'

type Suggestion = { id: string; why: 'newest-run' | 'default' | 'fits' } | null

/**
 * The model that a new run begins with: that of the newest run, else the default one, else of those that fit best the
 * largest. Without a GPU it is the smallest, as there time is what runs short.
 */
export function suggestModel(
  models: readonly BaseModel[],
  { newest, wanted, device }: { newest: string | null; wanted: string; device: ComputeDevice | null },
): Suggestion {
  const usable = models.filter(({ problem, fit }) => problem === null && fit !== 'no')
  const isHere = (id: string | null) => usable.some((model) => model.id === id)
  if (newest !== null && isHere(newest)) return { id: newest, why: 'newest-run' }
  if (isHere(wanted)) return { id: wanted, why: 'default' }
  const sign = device?.kind === 'cuda' ? -1 : 1
  const [best] = usable.toSorted(
    (a, b) =>
      FIT.indexOf(a.fit) - FIT.indexOf(b.fit) ||
      Number(a.source === 'own') - Number(b.source === 'own') ||
      Number(a.format === 'gguf') - Number(b.format === 'gguf') ||
      sign * ((a.parameters ?? 0) - (b.parameters ?? 0)),
  )
  return best ? { id: best.id, why: 'fits' } : null
}

const FIT: readonly BaseModel['fit'][] = ['yes', 'tight', 'unknown', 'no']
