import type { RunState } from '#contracts/entities/run.ts'
import { TrainStrategy } from '#contracts/trainer.ts'

/** What the list asks for, as the address has it. */
export interface RunFilter {
  q?: string
  state?: RunState[]
  strategy?: TrainStrategy
  datasetId?: string
  starred?: 'true'
}

/** Names of the groups of states that one chooses from. */
export const STATE_GROUPS = {
  active: ['preparing', 'running', 'pausing', 'queued'],
  paused: ['paused'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly RunState[]>
export type StateGroup = keyof typeof STATE_GROUPS

export const isStateGroup = (text: string | null): text is StateGroup => text !== null && Object.hasOwn(STATE_GROUPS, text)

/** Names and values that are none of ours are passed over. */
export function readFilter(search: URLSearchParams): RunFilter {
  const state = search.get('state')
  const strategy = TrainStrategy.safeParse(search.get('strategy'))
  const q = search.get('q')?.trim()
  const datasetId = search.get('dataset')
  return {
    ...(q ? { q } : {}),
    ...(isStateGroup(state) ? { state: [...STATE_GROUPS[state]] } : {}),
    ...(strategy.success ? { strategy: strategy.data } : {}),
    ...(datasetId ? { datasetId } : {}),
    ...(search.get('starred') === '1' ? { starred: 'true' as const } : {}),
  }
}

/** The order after one run has moved by a place; the same order where it cannot. */
export function moved(order: readonly string[], id: string, by: -1 | 1): string[] {
  const at = order.indexOf(id)
  const to = at + by
  if (at < 0 || to < 0 || to >= order.length) return [...order]
  const next = [...order]
  next.splice(at, 1)
  next.splice(to, 0, id)
  return next
}
