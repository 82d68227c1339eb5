import type { Batch } from '#contracts/entities/batch.ts'
import { TASK_AGENTS } from '#renderer/app/words/tasks.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { formatCount, formatDuration, formatEta, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Progress } from '#renderer/ui/meter.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { ALL_BATCHES } from './all-batches.ts'
import { BatchStateBadge } from './state-badge.tsx'
import { BATCH_STATES, countsLine, endedOf, secondsLeft } from './words.ts'

/** How the batch was asked for, and the way to all of them. */
export function Facts({ batch: { id, tasks, attempts, settings, concurrency, createdAt } }: { batch: Batch }) {
  const model = settings.model ?? null
  return (
    <p className="flex flex-wrap gap-x-1.5">
      <TextLink href={ALL_BATCHES.href}>{ALL_BATCHES.label}</TextLink>
      <span>·</span>
      <span>
        {plural(tasks, 'task')}, {plural(attempts, 'attempt')} each
      </span>
      <span>·</span>
      <span>
        {TASK_AGENTS[settings.agent].label}
        {model === null ? null : (
          <>
            {' with '}
            <Visible text={model} />
          </>
        )}
      </span>
      <span>·</span>
      <span>{formatCount(concurrency)} at a time</span>
      <span>·</span>
      <span>
        started <RelativeTime at={createdAt} />
      </span>
      <span>·</span>
      <TextLink href={`/arena/tasks?batch=${id}`}>its runs as a list</TextLink>
    </p>
  )
}

/** How far the batch is, what it has cost, and how long it takes. */
export function BatchProgress({ batch, medianMs }: { batch: Batch; medianMs: number | null }) {
  const { name, state, detail, counts, costUsd, maxCostUsd } = batch
  const ended = endedOf(counts)
  const left = secondsLeft(batch, medianMs)
  useAnnounce(`${name}: ${BATCH_STATES[state].label}, ${formatCount(ended)} of ${plural(counts.total, 'attempt')} ended`)
  return (
    <section aria-label="Progress" className="flex flex-col gap-2 rounded border border-line bg-panel p-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <BatchStateBadge batch={batch} />
        <span>
          {formatCount(ended)} of {plural(counts.total, 'attempt')} ended
        </span>
        <span className="text-second">{countsLine(counts)}</span>
      </div>
      <Progress label="Attempts that have ended" value={ended / counts.total} />
      <p className="flex flex-wrap gap-x-4 text-second">
        <span>
          Cost: {costUsd === null ? 'not known' : formatUsd(costUsd)}
          {maxCostUsd === null ? '' : ` of at most ${formatUsd(maxCostUsd)}`}
        </span>
        <Elapsed batch={batch} />
        {left === null ? null : (
          <span>
            {formatEta(left)} left, if attempts go on taking {formatDuration(medianMs)}
          </span>
        )}
      </p>
      {detail === null ? null : <p className="text-warn">{detail}</p>}
    </section>
  )
}

function Elapsed({ batch: { createdAt, endedAt } }: { batch: Batch }) {
  const now = useNow(endedAt === null)
  return <span>Time: {formatDuration((endedAt === null ? now : Date.parse(endedAt)) - Date.parse(createdAt))}</span>
}
