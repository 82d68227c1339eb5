import { Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { BaseModelDownload } from '#contracts/entities/base-model.ts'
import type { Job } from '#contracts/entities/job.ts'
import { useDiscardDownload } from '#renderer/api/base-models.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { isActive, useJobs } from '#renderer/api/jobs.ts'
import { progressSentence } from '#renderer/app/words/jobs.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { formatBytes } from '#renderer/ui/format.ts'
import { JobLine } from '#renderer/ui/job-line.tsx'

/** An incomplete download: its progress, and buttons to pause, resume or discard it. */
export function DownloadLine({ download, onResume }: { download: BaseModelDownload; onResume: () => void }) {
  const { id, bytes, bytesHere, jobId, problem, hint } = download
  const offline = useOfflineReason()
  const jobs = useJobs()
  const discard = useDiscardDownload()
  const [isConfirming, setConfirming] = useState(false)
  const job = jobs.data?.items.find((one) => one.id === jobId)
  if (job && isActive(job)) return <JobProgress name={id} job={job} sentence={downloadSentence(job)} stop="Pause" />
  return (
    <div className="flex flex-col gap-1">
      <JobLine
        name={id}
        share={bytes === 0 ? 0 : bytesHere / bytes}
        sentence={`${problem === null ? 'paused' : 'stopped'}${bytes === 0 ? '' : ` at ${formatBytes(bytesHere)} of ${formatBytes(bytes)}`}`}
        actions={
          <>
            <Button size="small" icon={Play} reason={offline} aria-label={`Resume the download of ${id}`} onClick={onResume}>
              Resume
            </Button>
            <Button
              size="small"
              icon={Trash2}
              reason={offline}
              busy={discard.isPending}
              aria-label={`Discard the download of ${id} …`}
              onClick={() => setConfirming(true)}
            >
              Discard …
            </Button>
          </>
        }
      />
      {problem === null ? null : (
        <p role="alert" className="text-xs text-bad">
          {problem} {hint}
        </p>
      )}
      <Confirm
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Discard the download of ${id}?`}
        action="Discard download"
        onConfirm={() => discard.mutate(id)}
      >
        <p>This deletes the {formatBytes(bytesHere)} that were downloaded.</p>
      </Confirm>
    </div>
  )
}

/** "1.2 of 3.1 GB · 24 MB/s · about 1 min left". */
function downloadSentence(job: Job): string {
  const { bytesDone = null, bytesTotal = null } = job.progress ?? {}
  if (job.queuePosition !== null || bytesDone === null || bytesTotal === null) return progressSentence(job)
  return `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)} · ${progressSentence(job)}`
}
