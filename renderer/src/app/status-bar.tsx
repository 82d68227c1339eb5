import { Archive, ChartLine, CircleDot, CirclePause, CircleSlash, Cpu, HardDrive, Loader, TriangleAlert, Unplug, Wifi } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { Link } from 'wouter'
import type { CaptureStatus } from '#contracts/entities/capture.ts'
import type { Job } from '#contracts/entities/job.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { useCapture } from '#renderer/api/capture.ts'
import { activeJobs, useJobs } from '#renderer/api/jobs.ts'
import { useActiveRuns, useTrainingQueue } from '#renderer/api/runs.ts'
import { useTrainingDevices } from '#renderer/api/training-environment.ts'
import { jobWord, progressSentence } from './words/jobs.ts'
import { cn } from '#renderer/ui/cn.ts'
import { DASH, formatBytes, formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'

/** Always on: what is captured, whether the archive is safe, what runs, the disk, the connection. Each part is a link. */
export function StatusBar() {
  const { data: status } = useCapture()
  const { data: jobs } = useJobs()
  const active = activeJobs(jobs?.items ?? [])
  return (
    <footer aria-label="Status" className="flex h-7 shrink-0 items-center overflow-hidden border-t border-line bg-panel px-1 text-xs">
      <CapturePart status={status} />
      <ArchivePart status={status} />
      {active[0] ? <WorkPart job={active[0]} others={active.length - 1} /> : <IndexPart status={status} />}
      <TrainingPart />
      <span className="flex-1" />
      <DevicePart />
      <DiskPart status={status} />
      <ConnectionPart />
    </footer>
  )
}

function Part({
  href,
  icon: Icon,
  tone = 'text-second',
  children,
  grow = false,
}: {
  href: string
  icon: ComponentType<{ size?: number; className?: string; 'aria-hidden'?: boolean }>
  tone?: string
  children: ReactNode
  grow?: boolean
}) {
  const isAway = useConnection(({ state }) => state === 'offline')
  return (
    <Link
      href={href}
      className={cn(
        'focus-inset flex h-6 items-center gap-1.5 rounded-sm px-2 text-second hover:bg-raised hover:text-text',
        'min-w-0',
        grow && 'shrink-[100000]', // a pixel less of another part would cut off its last word
      )}
    >
      {/* what is not connected is not known to be well */}
      <Icon size={14} aria-hidden className={cn('shrink-0', isAway && tone === 'text-ok' ? 'text-second' : tone)} />
      <span className="truncate whitespace-nowrap">{children}</span>
    </Link>
  )
}

function CapturePart({ status }: { status: CaptureStatus | undefined }) {
  if (!status) {
    return (
      <Part href="/settings/capture" icon={CircleDot}>
        Capture {DASH}
      </Part>
    )
  }
  const { icon, tone } = {
    on: { icon: CircleDot, tone: 'text-ok' },
    paused: { icon: CirclePause, tone: 'text-warn' },
    off: { icon: CircleSlash, tone: 'text-second' },
  }[status.state]
  return (
    <Part
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
    </Part>
  )
}

function ArchivePart({ status }: { status: CaptureStatus | undefined }) {
  const atRisk = status?.archive.atRisk ?? null
  if (!status || atRisk === null) {
    return (
      <Part href="/settings/storage" icon={Archive}>
        Archive {DASH}
      </Part>
    )
  }
  if (atRisk === 0 && status.archive.traces === 0) {
    return (
      <Part href="/settings/storage" icon={Archive}>
        Archive empty
      </Part>
    )
  }
  return atRisk === 0 ? (
    <Part href="/settings/storage" icon={Archive} tone="text-ok">
      Archive safe · {plural(status.archive.traces, 'session')}
    </Part>
  ) : (
    <Part href="/settings/storage" icon={TriangleAlert} tone="text-warn">
      {formatCount(atRisk)} at risk
      {status.archive.nextCleanupAt ? (
        <>
          {' '}
          · clean-up <RelativeTime at={status.archive.nextCleanupAt} due="due now" />
        </>
      ) : null}
    </Part>
  )
}

function WorkPart({ job, others }: { job: Job; others: number }) {
  return (
    <Part href="/jobs" icon={Loader} tone="text-accent" grow>
      {jobWord(job.kind)}: {progressSentence(job)}
      {others > 0 ? ` · ${formatCount(others)} more` : null}
    </Part>
  )
}

/** The run on the device and how many wait; nothing where nothing does. */
function TrainingPart() {
  const runs = useActiveRuns().data?.items ?? []
  const queue = useTrainingQueue().data
  const running = runs.filter(({ state }) => state === 'preparing' || state === 'running' || state === 'pausing')
  const waiting = runs.filter(({ state }) => state === 'queued').length
  const first = running[0]
  if (!first && waiting === 0) return null
  const done = first?.totalSteps ? formatPercent(first.step / first.totalSteps) : first?.state
  return (
    <Part href={first ? `/training/${first.id}` : '/training'} icon={ChartLine} tone={first ? 'text-accent' : 'text-second'} grow>
      Training{first ? `: ${first.name} ${done}` : ''}
      {running.length > 1 ? ` · ${running.length - 1} more` : ''}
      {waiting > 0 ? ` · ${waiting} waiting` : ''}
      {queue?.paused ? ` · queue paused${queue.pausedBy === null ? '' : ' after a failure'}` : ''}
    </Part>
  )
}

/** What a run would train on. No GPU is a state of its own, not an error. */
function DevicePart() {
  const devices = useTrainingDevices().data
  const gpu = devices?.items.find(({ kind }) => kind === 'cuda')
  return (
    <Part href="/training" icon={Cpu}>
      {gpu ? `${gpu.name}: ${formatBytes(gpu.freeBytes)} free` : devices ? 'No GPU' : `GPU ${DASH}`}
    </Part>
  )
}

function IndexPart({ status }: { status: CaptureStatus | undefined }) {
  if (status?.importing) {
    return (
      <Part href="/jobs" icon={Loader} tone="text-accent">
        Importing
      </Part>
    )
  }
  if (!status?.indexing) return null
  return (
    <Part href="/jobs" icon={Loader} tone="text-accent">
      Indexing for search: {formatBytes(status.indexing.pendingBytes)} left
    </Part>
  )
}

/** Under this much free space the disk is named as a problem. */
const LOW_DISK_BYTES = 2e9

function DiskPart({ status }: { status: CaptureStatus | undefined }) {
  const disk = status?.disk
  const isFull = status?.problems.some(({ kind }) => kind === 'disk-full') ?? false
  const low = isFull || (disk ? disk.freeBytes < LOW_DISK_BYTES : false)
  return (
    <Part href="/settings/storage" icon={low ? TriangleAlert : HardDrive} tone={low ? 'text-bad' : 'text-second'}>
      {isFull
        ? 'Disk full: nothing new is saved'
        : disk
          ? `${formatBytes(disk.freeBytes)} free${low ? ': disk nearly full' : ''}`
          : `Disk ${DASH}`}
    </Part>
  )
}

function ConnectionPart() {
  const { state } = useConnection()
  const online = state === 'online'
  return (
    <Part
      href="/settings/about"
      icon={online ? Wifi : state === 'offline' ? Unplug : Loader}
      tone={state === 'offline' ? 'text-warn' : 'text-second'}
    >
      {online ? 'Connected' : state === 'offline' ? 'Not connected' : 'Connecting'}
    </Part>
  )
}
