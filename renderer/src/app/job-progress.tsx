import type { Job } from '#contracts/entities/job.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useCancelJob } from '#renderer/api/jobs.ts'
import type { useJobOf } from '#renderer/api/use-job.ts'
import { Button } from '#renderer/ui/button.tsx'
import { JobLine } from '#renderer/ui/job-line.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { progressSentence, progressShare } from './words/jobs.ts'

/** A running job, with a button that stops it. */
export function JobProgress({
  name,
  job,
  sentence = progressSentence(job),
  stop = 'Stop',
}: {
  name: string
  job: Job
  sentence?: string
  /** Label of the button. */
  stop?: string
}) {
  const offline = useOfflineReason()
  const cancel = useCancelJob()
  return (
    <JobLine
      name={name}
      sentence={sentence}
      share={progressShare(job)}
      actions={
        <Button size="small" reason={offline} busy={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
          {stop}
        </Button>
      }
    />
  )
}

/** A job that a screen started: its progress, or why there is no result. */
export function JobState({
  name,
  work: { running, error, wasStopped },
  failed,
  stopped,
}: {
  name: string
  work: Pick<ReturnType<typeof useJobOf>, 'running' | 'error' | 'wasStopped'>
  /** Title of the error. */
  failed: string
  /** Sentence shown after it was stopped: what was kept. */
  stopped?: string
}) {
  return (
    <>
      {running ? <JobProgress name={name} job={running} /> : null}
      {error ? <ErrorState title={failed} error={error} /> : null}
      {wasStopped && stopped ? (
        <p role="status" className="text-sm text-second">
          {stopped}
        </p>
      ) : null}
    </>
  )
}
