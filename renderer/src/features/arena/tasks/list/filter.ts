import type { TaskState } from '#contracts/entities/task.ts'
import type { TaskFilter } from '#renderer/api/tasks.ts'

/** What one chooses from, and the states that it takes. */
export const STATE_GROUPS = {
  active: { label: 'At work or queued', states: ['queued', 'preparing', 'working', 'waiting', 'verifying', 'needs_you'] },
  yours: { label: 'Waiting for you', states: ['needs_you', 'review', 'unverified'] },
  done: { label: 'Done', states: ['done'] },
  failed: { label: 'Failed', states: ['failed'] },
  stopped: { label: 'Stopped', states: ['stopped'] },
} as const satisfies Record<string, { label: string; states: readonly TaskState[] }>
export type StateGroup = keyof typeof STATE_GROUPS

export const isStateGroup = (text: string | null): text is StateGroup => text !== null && Object.hasOwn(STATE_GROUPS, text)

/** What the address asks for; values that are none of ours are passed over. */
export function readFilter(search: URLSearchParams): TaskFilter {
  const state = search.get('state')
  const q = search.get('q')?.trim()
  const batchId = search.get('batch')
  return {
    ...(q ? { q } : {}),
    ...(isStateGroup(state) ? { state: [...STATE_GROUPS[state].states] } : {}),
    ...(batchId ? { batchId } : {}),
  }
}
