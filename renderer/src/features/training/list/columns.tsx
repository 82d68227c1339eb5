import type { Run } from '#contracts/entities/run.ts'
import { datasetHref, runHref } from '#renderer/app/links.ts'
import { useModelWord } from '#renderer/app/words/models.ts'
import { cn } from '#renderer/ui/cn.ts'
import { DASH, formatCompact, formatCount, formatPercent, formatValue } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import type { CellColumn } from '#renderer/ui/lists/cell-columns.ts'
import { starColumn } from '#renderer/ui/lists/marked-table.tsx'
import { Progress } from '#renderer/ui/meter.tsx'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Spark } from '#renderer/ui/figures/spark.tsx'
import { lookOf } from '#renderer/ui/curves/ink.ts'
import { Swatch } from '#renderer/ui/curves/swatch.tsx'
import { Unknown } from '#renderer/ui/unknown.tsx'
import { Elapsed } from '../elapsed.tsx'
import { HEALTH_WORDS } from '../run/health-words.ts'
import { RunStar } from '../run-star.tsx'
import { etaOf, phaseOf, shareOf, STATE_WORDS, STRATEGY_WORDS } from '../words.ts'

export const COLUMNS: readonly CellColumn<Run>[] = [
  starColumn((run) => <RunStar run={run} />),
  {
    id: 'name',
    label: 'Name',
    width: 180,
    grows: true,
    leaves: null,
    cell: (run) => (
      <span className="flex min-w-0 items-center gap-2">
        <Swatch {...lookOf(run)} />
        <TextLink href={runHref(run.id)} className="min-w-0 truncate no-underline! hover:underline!">
          {run.name}
        </TextLink>
        <span className="max-w-32 min-w-0 shrink-[8] truncate text-xs text-second" title={run.tags.join(', ')}>
          {run.tags.join(', ')}
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    label: 'State',
    width: 96,
    leaves: null,
    cell: (run) => (
      <span className={cn('block truncate', STATE_WORDS[run.state].ink)} title={run.error?.message ?? phaseOf(run) ?? undefined}>
        {STATE_WORDS[run.state].label}
        {run.health.length > 0 ? (
          <span title={run.health.map(({ message }) => message).join(' ')}>
            <span aria-hidden> ⚠</span>
            <span className="sr-only">, {run.health.map(({ code }) => HEALTH_WORDS[code].word).join(', ')}</span>
          </span>
        ) : null}
      </span>
    ),
  },
  { id: 'strategy', label: 'Strategy', width: 84, leaves: 3, cell: (run) => STRATEGY_WORDS[run.strategy].label },
  {
    id: 'model',
    label: 'Base model',
    width: 150,
    leaves: 7,
    cell: (run) => <BaseName model={run.baseModel} />,
  },
  {
    id: 'dataset',
    label: 'Data set',
    width: 110,
    leaves: 8,
    cell: (run) =>
      run.datasetId === null ? (
        <span className="block truncate text-xs text-second" title="a file">
          {run.datasetName ?? DASH}
        </span>
      ) : (
        <TextLink href={datasetHref(run.datasetId)} className="block truncate text-xs">
          {run.datasetName ?? run.datasetId}
        </TextLink>
      ),
  },
  {
    id: 'steps',
    label: 'Steps',
    width: 132,
    numeric: true,
    leaves: 1,
    cell: (run) => (
      <span className="flex items-center gap-2" title={etaOf(run) ?? undefined}>
        <Progress label={`Steps of ${run.name}`} value={shareOf(run)} className="min-w-8 flex-1" />
        <span>
          {formatCount(run.step)}/{run.totalSteps === null ? DASH : formatCount(run.totalSteps)}
        </span>
      </span>
    ),
  },
  {
    id: 'loss',
    label: 'Loss',
    width: 152,
    numeric: true,
    leaves: 2,
    cell: (run) =>
      run.loss === null && run.spark.length === 0 ? (
        <Unknown why="No loss measured yet." />
      ) : (
        <span className="flex items-center justify-end gap-2">
          <Spark values={run.spark} ink={`var(--${lookOf(run).ink})`} label={`Loss of ${run.name} over its steps`} />
          <span className="w-16">{formatValue(run.loss)}</span>
        </span>
      ),
  },
  {
    id: 'calls',
    label: 'Arg. F1',
    width: 72,
    numeric: true,
    leaves: 9,
    cell: (run) =>
      typeof run.metrics['eval_arg_f1'] === 'number' ? (
        <span title="Argument F1 of held-out calls">{formatPercent(run.metrics['eval_arg_f1'])}</span>
      ) : (
        <Unknown why={run.nextCalls?.reason ?? 'Held-out calls are not measured.'} />
      ),
  },
  {
    id: 'rate',
    label: 'Tokens/s',
    width: 76,
    numeric: true,
    leaves: 6,
    cell: (run) => (run.tokensPerSec === null ? <Unknown why="Not measured" /> : formatCompact(Math.round(run.tokensPerSec))),
  },
  {
    id: 'duration',
    label: 'Duration',
    width: 88,
    numeric: true,
    leaves: 5,
    cell: (run) => (run.trainSec === null ? <Unknown why="Training has not started." /> : <Elapsed run={run} />),
  },
  {
    id: 'started',
    label: 'Started',
    width: 96,
    numeric: true,
    leaves: 4,
    cell: (run) =>
      run.startedAt === null ? <Unknown why="Not started yet." /> : <RelativeTime at={run.startedAt} className="text-second" />,
  },
]

function BaseName({ model }: { model: string }) {
  return <MiddleCut text={useModelWord()(model)} end={8} className="text-xs" />
}
