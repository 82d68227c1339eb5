import type { TaskState } from '#contracts/entities/task.ts'
import type { TaskFilter } from '#renderer/api/tasks.ts'
import { statesIn } from '#renderer/app/state-filter.tsx'

/** Options of the state filter, each with the states it matches. */
export const STATE_GROUPS = {
  active: { label: 'At work or queued', states: ['queued', 'preparing', 'working', 'waiting', 'verifying', 'needs_you'] },
  yours: { label: 'Waiting for you', states: ['needs_you', 'paused', 'review', 'unverified'] },
  done: { label: 'Done', states: ['done'] },
  failed: { label: 'Failed', states: ['failed'] },
  stopped: { label: 'Stopped', states: ['stopped'] },
} as const satisfies Record<string, { label: string; states: readonly TaskState[] }>

/** The filter in the address; unknown values are ignored. */
export function readFilter(search: URLSearchParams): TaskFilter {
  const q = search.get('q')?.trim()
  const batchId = search.get('batch')
  return {
    ...(q ? { q } : {}),
    ...statesIn<TaskState>(STATE_GROUPS, search),
    ...(batchId ? { batchId } : {}),
  }
}
