import type { ShellTaskItem, ShellTaskValidated, ShellValidation } from '#contracts/entities/shell-task.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { performEach } from '#server/runs/pool.ts'

export interface ValidationDeps {
  validate: (task: ShellTaskItem, signal: AbortSignal) => Promise<ShellValidation>
  /** False if the task was changed or removed in the meantime. */
  keep: (task: ShellTaskItem, validation: ShellValidation) => boolean
  maxParallel: number
}

/** Validates tasks in parallel. Each validation is stored as soon as it is complete, so a cancelled job loses nothing. */
export async function validateAll(
  tasks: readonly ShellTaskItem[],
  { validate, keep, maxParallel }: ValidationDeps,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<ShellTaskValidated> {
  const counts = { valid: 0, invalid: 0, unknown: 0, gone: 0 }
  let done = 0
  const reportProgress = () => progress({ phase: 'validating', done, total: tasks.length, unit: 'tasks' })
  reportProgress()
  await performEach(tasks, { places: () => maxParallel, signal }, async (task, stop) => {
    const validation = await validate(task, stop)
    counts[keep(task, validation) ? validation.status : 'gone'] += 1
    done += 1
    reportProgress()
  })
  return { validated: done, ...counts }
}
