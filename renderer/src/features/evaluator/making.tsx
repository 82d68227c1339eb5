import { RotateCcw } from 'lucide-react'
import type { Exam } from '#contracts/entities/exam.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'

/** What is under way while an exam of tasks is made, or why it stopped. */
export function Making({ exam: { id, state, detail, waiting } }: { exam: Exam }) {
  const offline = useOfflineReason()
  const job = useJobOf('exam', () => api.resumeExam({ params: { id } }), "Couldn't go on with the exam", id)
  if (state === 'ready') return null
  if (job.running) return <JobProgress name="Exam" job={job.running} />
  return (
    <section aria-label="Making" className="flex flex-wrap items-center gap-3 rounded border border-line bg-panel p-3 text-sm">
      <p className="grow text-warn">
        {detail ?? 'It was stopped.'} {waiting === 0 ? '' : `${plural(waiting, 'session')} are still to be tried.`}
      </p>
      {state === 'making' ? null : (
        <Button icon={RotateCcw} reason={offline} busy={job.busy} onClick={() => job.start(undefined)}>
          Resume
        </Button>
      )}
    </section>
  )
}
