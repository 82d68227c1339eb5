import { ScanSearch } from 'lucide-react'
import type { PrivacyStatus } from '#contracts/entities/privacy.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useRunningJob } from '#renderer/api/jobs.ts'
import { usePrivacyScan } from '#renderer/api/privacy.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { formatCompact, formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'

/** Scan progress, and buttons to scan. */
export function ScanStrip({ status }: { status: PrivacyStatus }) {
  const running = useRunningJob('privacy-scan')
  const start = usePrivacyScan()
  const offline = useOfflineReason()
  if (running) return <JobProgress name="Scan" job={running} />
  const total = status.scanned + status.outstanding
  if (total === 0) return null // the list shows that there are no sessions
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <p className="min-w-60 flex-1">
        <TextLink href={tracesHref('')}>{plural(total, 'session')}</TextLink>:{' '}
        {status.outstanding > 0 ? (
          <>
            {formatCount(status.scanned)} scanned<b className="text-warn">, {formatCount(status.outstanding)} not scanned yet</b>
          </>
        ) : (
          'all scanned'
        )}
        {status.failed > 0 ? <span className="text-bad"> ({formatCount(status.failed)} could not be scanned; see the log)</span> : null}
        <span className="text-second">
          {status.chars > 0 ? ` · ${formatCompact(status.chars)} characters read` : ''}
          {status.lastScanAt === null ? '' : ' · last scan '}
          {status.lastScanAt === null ? null : <RelativeTime at={status.lastScanAt} />}
        </span>
      </p>
      <div className="flex gap-2">
        <Button
          size="small"
          icon={ScanSearch}
          look={status.outstanding > 0 ? 'primary' : 'plain'}
          busy={start.isPending}
          reason={offline ?? (status.outstanding === 0 ? 'Everything has been scanned.' : null)}
          onClick={() => start.mutate(false)}
        >
          Scan new sessions
        </Button>
        <Button size="small" look="quiet" busy={start.isPending} reason={offline} onClick={() => start.mutate(true)}>
          Rescan all sessions
        </Button>
      </div>
    </div>
  )
}
