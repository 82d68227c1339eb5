import { hash } from 'node:crypto'
import type { RolloutSelection, RolloutTask } from '#contracts/entities/rollout.ts'
import { AppError } from '#contracts/errors.ts'
import { refuseDuplicates } from '#server/refusals.ts'
import type { ShellTaskSource } from '../shell-tasks/service.ts'

/** Finds shell tasks in the store. Throws if a task does not exist. */
export type TasksOf = (wanted: Pick<RolloutSelection, 'taskIds' | 'filter'>) => RolloutTask[]

export const shellTasksOf =
  (store: Pick<ShellTaskSource, 'byIds' | 'matching'>): TasksOf =>
  ({ taskIds, filter }) => {
    if (taskIds !== undefined) return store.byIds(taskIds)
    const found = store.matching({
      ...(filter?.split !== undefined && { split: [filter.split] }),
      ...(filter?.difficulty !== undefined && { difficulty: filter.difficulty.map((level) => `${level}` as '1' | '2' | '3' | '4') }),
      ...(filter?.validOnly === true && { status: ['valid' as const] }),
    })
    return found.slice(0, filter?.limit)
  }

/** The requested tasks without duplicates. Throws `invalid_request`. */
export function chosenTasks({ tasks, taskIds, filter }: RolloutSelection, tasksOf: TasksOf): { name: string; tasks: RolloutTask[] } {
  if ([tasks, taskIds, filter].filter((one) => one !== undefined).length !== 1)
    throw new AppError('invalid_request', {
      message: 'Rollouts need exactly one of: rows, task ids, or a filter.',
      hint: 'Give one of "tasks", "taskIds" and "filter".',
    })
  const chosen = tasks === undefined ? tasksOf({ taskIds, filter }) : tasks.map((one) => ({ ...one, id: one.id ?? idOf(one), split: null }))
  if (chosen.length === 0)
    throw new AppError('invalid_request', {
      message:
        filter?.split === undefined
          ? 'No shell task matches the filter.'
          : `No shell task of the split "${filter.split}" matches the filter.`,
      hint: 'Choose another split or filter; `bashgym shell-tasks list` lists all tasks.',
    })
  refuseDuplicates(
    'id',
    chosen.map(({ id }) => id),
  )
  const count = `${chosen.length} ${chosen.length === 1 ? 'task' : 'tasks'}`
  return { name: filter?.split === undefined ? count : `${filter.split}: ${count}`, tasks: chosen }
}

/** An ID for a task without one, derived from its content. */
const idOf = ({ task, setup, check }: Pick<RolloutTask, 'task' | 'setup' | 'check'>): string =>
  `task-${hash('sha256', JSON.stringify([task, setup, check])).slice(0, 16)}`
