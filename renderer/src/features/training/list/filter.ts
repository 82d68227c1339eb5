import type { RunState } from '#contracts/entities/run.ts'
import { TrainStrategy } from '#contracts/trainer.ts'
import { statesIn } from '#renderer/app/state-filter.tsx'

/** The filter of the list, as sent to the server. */
export interface RunFilter {
  q?: string
  state?: RunState[]
  strategy?: TrainStrategy
  datasetId?: string
  starred?: 'true'
}

/** Options of the state filter, each with the states it matches. */
export const STATE_GROUPS = {
  active: { label: 'Running or waiting', states: ['preparing', 'running', 'pausing', 'queued'] },
  paused: { label: 'Paused', states: ['paused'] },
  completed: { label: 'Done', states: ['completed'] },
  failed: { label: 'Failed', states: ['failed'] },
  cancelled: { label: 'Cancelled', states: ['cancelled'] },
} as const satisfies Record<string, { label: string; states: readonly RunState[] }>

/** The filter in the address; unknown names and values are ignored. */
export function readFilter(search: URLSearchParams): RunFilter {
  const strategy = TrainStrategy.safeParse(search.get('strategy'))
  const q = search.get('q')?.trim()
  const datasetId = search.get('dataset')
  return {
    ...(q ? { q } : {}),
    ...statesIn<RunState>(STATE_GROUPS, search),
    ...(strategy.success ? { strategy: strategy.data } : {}),
    ...(datasetId ? { datasetId } : {}),
    ...(search.get('starred') === '1' ? { starred: 'true' as const } : {}),
  }
}

/** The order after moving a run by one place; unchanged if the run can't move. */
export function moved(order: readonly string[], id: string, by: -1 | 1): string[] {
  const at = order.indexOf(id)
  const to = at + by
  if (at < 0 || to < 0 || to >= order.length) return [...order]
  const reordered = [...order]
  reordered.splice(at, 1)
  reordered.splice(to, 0, id)
  return reordered
}
