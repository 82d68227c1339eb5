import type { ShellTaskItem, ShellTaskValidated, ShellValidation } from '#contracts/entities/shell-task.ts'
import type { JobContext } from '#server/jobs/jobs.ts'

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
  let [next, done] = [0, 0]
  const reportProgress = () => progress({ phase: 'validating', done, total: tasks.length, unit: 'tasks' })
  const work = async () => {
    for (let at = next++; at < tasks.length; at = next++) {
      signal.throwIfAborted()
      const task = tasks[at]!
      const validation = await validate(task, signal)
      counts[keep(task, validation) ? validation.status : 'gone'] += 1
      done += 1
      reportProgress()
    }
  }
  reportProgress()
  await Promise.all(Array.from({ length: Math.min(maxParallel, tasks.length) }, work))
  return { validated: done, ...counts }
}
