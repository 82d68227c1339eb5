import { Loader } from 'lucide-react'
import type { CaptureStatus } from '#contracts/entities/capture.ts'
import type { Job } from '#contracts/entities/job.ts'
import { useCapture } from '#renderer/api/capture.ts'
import { activeJobs, useJobs } from '#renderer/api/jobs.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { jobWord } from '#renderer/app/job-words.ts'
import { StatusPart } from '#renderer/app/status-part.tsx'
import { progressSentence } from '#renderer/app/words/jobs.ts'
import { formatBytes, formatCount } from '#renderer/ui/format.ts'

/** The running job, or else what is still to be indexed. */
export function WorkItem({ features }: { features: readonly Feature[] }) {
  const { data: status } = useCapture()
  const { data: jobs } = useJobs()
  const active = activeJobs(jobs?.items ?? [])
  const first = active[0]
  return first ? <WorkPart job={first} name={jobWord(features, first.kind)} others={active.length - 1} /> : <IndexPart status={status} />
}

function WorkPart({ job, name, others }: { job: Job; name: string; others: number }) {
  return (
    <StatusPart href="/jobs" icon={Loader} tone="text-accent" grow>
      {name}: {progressSentence(job)}
      {others > 0 ? ` · ${formatCount(others)} more` : null}
    </StatusPart>
  )
}

function IndexPart({ status }: { status: CaptureStatus | undefined }) {
  if (status?.importing) {
    return (
      <StatusPart href="/jobs" icon={Loader} tone="text-accent">
        Importing
      </StatusPart>
    )
  }
  if (!status?.indexing) return null
  return (
    <StatusPart href="/jobs" icon={Loader} tone="text-accent">
      Indexing for search: {formatBytes(status.indexing.pendingBytes)} left
    </StatusPart>
  )
}
