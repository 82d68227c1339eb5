import type { Job } from '#contracts/entities/job.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { progressSentence, progressShare } from '#renderer/app/words/jobs.ts'
import { Button } from '#renderer/ui/button.tsx'
import { JobLine } from '#renderer/ui/job-line.tsx'

/** A job at work, with the way to stop it. */
export function JobProgress({ name, job, onStop }: { name: string; job: Job; onStop: () => void }) {
  const offline = useOfflineReason()
  return (
    <JobLine
      name={name}
      sentence={progressSentence(job)}
      share={progressShare(job)}
      actions={
        <Button size="small" reason={offline} onClick={onStop}>
          Stop
        </Button>
      }
    />
  )
}
