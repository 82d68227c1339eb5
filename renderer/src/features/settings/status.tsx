import { Archive, CircleDot, CirclePause, CircleSlash, HardDrive, TriangleAlert } from 'lucide-react'
import { useCapture } from '#renderer/api/capture.ts'
import { StatusPart } from '#renderer/app/status-part.tsx'
import { DASH, formatBytes, formatCount, plural } from '#renderer/ui/format.ts'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'

export function CaptureItem() {
  const { data: status } = useCapture()
  if (!status) {
    return (
      <StatusPart href="/settings/capture" icon={CircleDot}>
        Capture {DASH}
      </StatusPart>
    )
  }
  const { icon, tone } = {
    on: { icon: CircleDot, tone: 'text-ok' },
    paused: { icon: CirclePause, tone: 'text-warn' },
    off: { icon: CircleSlash, tone: 'text-second' },
  }[status.state]
  return (
    <StatusPart
      href="/settings/capture"
      icon={status.problems.length > 0 ? TriangleAlert : icon}
      tone={status.problems.length > 0 ? 'text-warn' : tone}
    >
      Capture {status.state}
      {status.liveSessions > 0 ? <> · {plural(status.liveSessions, 'live session')}</> : null}
      {status.lastEventAt ? (
        <>
          {' '}
          · last event <RelativeTime at={status.lastEventAt} />
        </>
      ) : (
        <> · no events yet</>
      )}
    </StatusPart>
  )
}

export function ArchiveItem() {
  const { data: status } = useCapture()
  const atRisk = status?.archive.atRisk ?? null
  if (!status || atRisk === null) {
    return (
      <StatusPart href="/settings/storage" icon={Archive}>
        Archive {DASH}
      </StatusPart>
    )
  }
  if (atRisk === 0 && status.archive.traces === 0) {
    return (
      <StatusPart href="/settings/storage" icon={Archive}>
        Archive empty
      </StatusPart>
    )
  }
  return atRisk === 0 ? (
    <StatusPart href="/settings/storage" icon={Archive} tone="text-ok">
      Archive safe · {plural(status.archive.traces, 'session')}
    </StatusPart>
  ) : (
    <StatusPart href="/settings/storage" icon={TriangleAlert} tone="text-warn">
      {formatCount(atRisk)} at risk
      {status.archive.nextCleanupAt ? (
        <>
          {' '}
          · clean-up <RelativeTime at={status.archive.nextCleanupAt} due="due now" />
        </>
      ) : null}
    </StatusPart>
  )
}

/** With less free space the disk is marked as nearly full. */
const LOW_DISK_BYTES = 2e9

export function DiskItem() {
  const { data: status } = useCapture()
  const disk = status?.disk
  const isFull = status?.problems.some(({ kind }) => kind === 'disk-full') ?? false
  const isLow = isFull || (disk ? disk.freeBytes < LOW_DISK_BYTES : false)
  return (
    <StatusPart href="/settings/storage" icon={isLow ? TriangleAlert : HardDrive} tone={isLow ? 'text-bad' : 'text-second'}>
      {isFull
        ? 'Disk full: nothing new is saved'
        : disk
          ? `${formatBytes(disk.freeBytes)} free${isLow ? ': disk nearly full' : ''}`
          : `Disk ${DASH}`}
    </StatusPart>
  )
}
