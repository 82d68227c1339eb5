import { ShellTaskValidated } from '#contracts/entities/shell-task.ts'
import type { ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { isActive, useJobs } from '#renderer/api/jobs.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { progressSentence } from '#renderer/app/words/jobs.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { ErrorState } from '#renderer/ui/states.tsx'

const KIND = 'shell-tasks-validate'

export function ValidateAll({ filter, total }: { filter: ShellTaskFilter; total: number | null }) {
  const offline = useOfflineReason()
  const job = useJobOf(KIND, () => api.validateShellTasks({ body: { filter } }), "Couldn't start the validation")
  const jobs = useJobs()
  const running = jobs.data?.items.find((one) => one.kind === KIND && isActive(one))
  const result = ShellTaskValidated.safeParse(job.result)
  return (
    <>
      <span role="status" className="text-xs text-second">
        {running
          ? progressSentence(running)
          : result.success
            ? `${formatCount(result.data.valid)} of ${plural(result.data.validated, 'task')} valid`
            : ''}
      </span>
      {running ? (
        <Button size="small" reason={offline} onClick={job.cancel}>
          Stop validation
        </Button>
      ) : (
        <Button
          size="small"
          reason={offline ?? (total === null ? 'The tasks are not loaded.' : total === 0 ? 'No task matches.' : null)}
          busy={job.busy}
          onClick={() => job.start(undefined)}
        >
          Validate{total === null ? '' : ` ${plural(total, 'task')}`}
        </Button>
      )}
    </>
  )
}

/** Validates the selected rows. `ids` is null if all tasks of the filter are selected. */
export function ValidateSelected({ filter, ids, count }: { filter: ShellTaskFilter; ids: readonly string[] | null; count: number }) {
  const offline = useOfflineReason()
  const job = useJobOf(
    KIND,
    () => api.validateShellTasks({ body: ids === null ? { filter } : { ids: [...ids] } }),
    "Couldn't start the validation",
  )
  return (
    <Button size="small" reason={offline} busy={job.busy} onClick={() => job.start(undefined)}>
      Validate {plural(count, 'selected task')}
    </Button>
  )
}

/** Validates one task. Returns the button and the progress to show below it. */
export function useValidateOne(id: string) {
  const offline = useOfflineReason()
  const job = useJobOf(KIND, () => api.validateShellTask({ params: { id } }), "Couldn't start the validation", id)
  return {
    button: (
      <Button look="primary" reason={offline} busy={job.busy} onClick={() => job.start(undefined)}>
        Validate
      </Button>
    ),
    progress: (
      <>
        {job.running ? <JobProgress name="Validation" job={job.running} /> : null}
        {job.error ? <ErrorState title="The validation failed" error={job.error} /> : null}
      </>
    ),
  }
}
