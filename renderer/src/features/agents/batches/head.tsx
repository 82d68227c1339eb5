import type { Batch } from '#contracts/entities/batch.ts'
import { TASK_AGENTS } from '#renderer/app/words/tasks.ts'
import { formatCount, formatDuration, formatEta, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { FactsLine, CollectionProgress } from '#renderer/app/collections.tsx'
import { ALL_BATCHES } from './all-batches.ts'
import { Elapsed } from './elapsed.tsx'
import { BATCH_STATES, countsLine, endedOf, secondsLeft } from './words.ts'

/** The settings of a batch. */
export const Facts = ({ batch: { id, tasks, attempts, settings, concurrency, createdAt } }: { batch: Batch }) => (
  <FactsLine
    facts={[
      <TextLink key="all" href={ALL_BATCHES.href}>
        {ALL_BATCHES.label}
      </TextLink>,
      `${plural(tasks, 'task')}, ${plural(attempts, 'attempt')} each`,
      <>
        {TASK_AGENTS[settings.agent].label}
        {settings.model === undefined ? null : (
          <>
            {' with '}
            <Visible text={settings.model} />
          </>
        )}
      </>,
      `${formatCount(concurrency)} at a time`,
      <>
        started <RelativeTime at={createdAt} />
      </>,
      <TextLink key="runs" href={`/agents?batch=${id}`}>
        View runs
      </TextLink>,
    ]}
  />
)

/** Progress, cost and time of a batch. */
export function BatchProgress({ batch, medianMs }: { batch: Batch; medianMs: number | null }) {
  const { counts, state } = batch
  const remainingSeconds = secondsLeft(batch, medianMs)
  return (
    <CollectionProgress
      {...batch}
      noun="attempt"
      state={BATCH_STATES[state]}
      ended={endedOf(counts)}
      total={counts.total}
      counts={countsLine(counts)}
    >
      <span>
        Time: <Elapsed batch={batch} />
      </span>
      {remainingSeconds === null ? null : (
        <span>
          {formatEta(remainingSeconds)} left if each attempt takes the median of {formatDuration(medianMs)}
        </span>
      )}
    </CollectionProgress>
  )
}
