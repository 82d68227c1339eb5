import { lookup } from '#contracts/lookup.ts'
import { Eye, EyeOff, Pin } from 'lucide-react'
import { useMemo } from 'react'
import { RunId, type Run } from '#contracts/entities/run.ts'
import { CALL_FIGURES } from '#renderer/app/words/call-figures.ts'
import { otherAnswers } from '#contracts/heldout.ts'
import { useModelWord } from '#renderer/app/words/models.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { DASH, formatCompact, formatValue } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { missingSentence, isMissing, SomeMissing } from '#renderer/ui/not-read.tsx'
import { PageHead, Section, useTitle } from '#renderer/ui/page.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { AXES } from '../charts/axes.ts'
import { Curves } from '../charts/curves.tsx'
import { lookOf } from '#renderer/ui/curves/ink.ts'
import { RunFeed } from '../charts/run-feed.tsx'
import { useSources } from '../charts/use-sources.ts'
import { Swatch } from '#renderer/ui/curves/swatch.tsx'
import { useView } from '#renderer/ui/curves/use-view.ts'
import { Elapsed } from '../elapsed.tsx'
import { formatMegabytes, isOver } from '../words.ts'
import { configDiff } from './config-diff.ts'
import { figureColumn, heldOutColumn, lossColumns, nameColumn, STATE_COLUMN } from './run-columns.tsx'
import { useEachRun } from './use-each-run.ts'

const listOf = (text: string | null): string[] => [...new Set((text ?? '').split(',').filter(Boolean))]

/** Several runs compared: how they ended, their curves in one chart, and the settings that differ. */
export default function CompareRuns() {
  useTitle('Compare runs')
  const [search, change] = useSearchState()
  const text = search.get('runs') ?? ''
  const requestedIds = useMemo(() => listOf(text), [text])
  // the address may name invalid or deleted runs; the others are still compared
  const ids = useMemo(() => requestedIds.filter((id) => RunId.safeParse(id).success), [requestedIds])
  const hidden = listOf(search.get('hide'))
  const pinned = search.get('pin')
  const results = useEachRun(ids)
  const missingCount = results.filter((one) => isMissing(one.error)).length + requestedIds.length - ids.length
  const error = results.find((one) => one.error && !isMissing(one.error))?.error
  const runs = results.flatMap(({ data }) => data ?? [])
  if (requestedIds.length - missingCount < 2) {
    return (
      <EmptyState title="Select at least two runs" action={<ButtonLink href="/training">Choose runs</ButtonLink>}>
        {missingCount > 0 ? `${missingSentence(missingCount, 'run')} ` : ''}
        Select two or more runs in the list, then choose Compare.
      </EmptyState>
    )
  }
  if (error)
    return (
      <ErrorState className="m-6" title="Couldn't load a run" error={error} action={<ButtonLink href="/training">All runs</ButtonLink>} />
    )
  if (runs.length < requestedIds.length - missingCount) {
    return (
      <Loading label="Loading the runs" className="flex flex-col gap-4 p-6">
        <Skeleton className="h-6 w-64" />
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-64 w-full" />
      </Loading>
    )
  }
  const toggle = (id: string) => {
    const next = hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id]
    change({ hide: next.join(',') || null }, { replace: true })
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <PageHead heading={`Compare ${runs.length} runs`} summary={<TextLink href="/training">All runs</TextLink>} />
      <div className="flex flex-col gap-6 px-6 pt-3 pb-5">
        <SomeMissing
          count={missingCount}
          what="run"
          onLeaveOut={() => change({ runs: runs.map(({ id }) => id).join(',') }, { replace: true })}
        />
        <RunsTable
          runs={runs}
          hidden={hidden}
          pinned={pinned}
          onHide={toggle}
          onPin={(id) => change({ pin: id === pinned ? null : id }, { replace: true })}
        />
        <Overlay runs={runs} hidden={hidden} pinned={pinned} />
        <ConfigDiff runs={runs} />
      </div>
    </div>
  )
}

function Overlay({ runs, hidden, pinned }: { runs: readonly Run[]; hidden: readonly string[]; pinned: string | null }) {
  const [view, onView] = useView(AXES)
  const sources = useSources(runs.map(({ id }) => id))
  const key = `${runs.map((run) => `${run.id} ${run.name} ${[...notComparable(run, runs)].join(' ')}`).join()}|${hidden.join()}|${pinned}`
  const visibleRuns = useMemo(
    () => {
      const all = runs
        .map((run) => ({
          id: run.id,
          source: sources.get(run.id)!,
          name: run.name,
          strategy: run.strategy,
          leftOut: notComparable(run, runs),
          ...lookOf(run),
        }))
        .filter(({ id }) => !hidden.includes(id))
      // the pinned curve is drawn last, above the others
      return all.toSorted((a, b) => Number(a.id === pinned) - Number(b.id === pinned))
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key covers everything read from the runs
    [key, sources],
  )
  return (
    <Section title="Curves">
      {runs.map(({ id }) => (
        <RunFeed key={id} source={sources.get(id)!} view={view} />
      ))}
      {visibleRuns.length === 0 ? <p className="text-sm text-second">Every run is hidden.</p> : null}
      {visibleRuns.length > 0 ? (
        <Curves runs={visibleRuns} view={view} onView={onView} markers={NONE} live={runs.some((run) => !isOver(run))} />
      ) : null}
    </Section>
  )
}
const NONE = [] as const

/** The metrics of a run that were measured on other held-out answers than those of the runs before it. */
const notComparable = (run: Run, runs: readonly Run[]): ReadonlySet<string> =>
  new Set(['eval_loss', ...Object.keys(run.metrics)].filter((name) => otherAnswers(name, runs).has(run.id)))

function RunsTable({
  runs,
  hidden,
  pinned,
  onHide,
  onPin,
}: {
  runs: readonly Run[]
  hidden: readonly string[]
  pinned: string | null
  onHide: (id: string) => void
  onPin: (id: string) => void
}) {
  const names = Object.keys(END_FIGURES).filter((name) => runs.some(({ metrics }) => Object.hasOwn(metrics, name)))
  const isHidden = ({ id }: Run) => hidden.includes(id)
  const columns = [
    nameColumn(isHidden),
    {
      id: 'show',
      label: 'Show',
      cell: (run: Run) => (
        <span className="flex">
          <IconButton
            size="small"
            icon={isHidden(run) ? EyeOff : Eye}
            label={isHidden(run) ? `Show ${run.name}` : `Hide ${run.name}`}
            aria-pressed={isHidden(run)}
            onClick={() => onHide(run.id)}
          />
          <IconButton
            size="small"
            icon={Pin}
            label={pinned === run.id ? `Unpin ${run.name}` : `Pin ${run.name} on top`}
            aria-pressed={pinned === run.id}
            className={pinned === run.id ? 'text-accent' : undefined}
            onClick={() => onPin(run.id)}
          />
        </span>
      ),
    },
    STATE_COLUMN,
    ...lossColumns(runs),
    ...names.map((name) => heldOutColumn(END_FIGURES[name] ?? name, name, runs, ({ metrics }) => formatValue(metrics[name]))),
    figureColumn('Tokens/s', ({ tokensPerSec }) => (tokensPerSec === null ? DASH : formatCompact(Math.round(tokensPerSec)))),
    figureColumn('Duration', (run) => <Elapsed run={run} />),
    figureColumn('Peak memory', ({ peakVramMb, peakRssMb }) => formatMegabytes(peakVramMb ?? peakRssMb)),
  ]
  return <Table caption="Run results" columns={columns} rows={runs} keyOf={({ id }) => id} />
}

/** Final figures besides the loss. */
const END_FIGURES: Readonly<Record<string, string>> = lookup({
  ...CALL_FIGURES,
  mean_token_accuracy: 'Token accuracy',
  'rewards/margins': 'Margin',
  'rewards/accuracies': 'Preference accuracy',
  reward: 'Reward',
  kl: 'KL',
})

function ConfigDiff({ runs }: { runs: readonly Run[] }) {
  const differing = configDiff(runs, useModelWord())
  const columns: Column<(typeof differing)[number]>[] = [
    { id: 'setting', label: 'Setting', className: 'text-second', cell: ({ name }) => name },
    ...runs.map((run, at) => ({
      id: run.id,
      label: (
        <span className="flex max-w-60 items-center gap-2">
          <Swatch {...lookOf(run)} />
          <span className="truncate">{run.name}</span>
        </span>
      ),
      className: 'max-w-60 truncate font-mono text-xs',
      cell: ({ values }: (typeof differing)[number]) => <span title={values[at] ?? undefined}>{values[at] ?? DASH}</span>,
    })),
  ]
  return (
    <Section title="What differs" note="Settings at start; those that are the same in all runs are hidden">
      {differing.length === 0 ? (
        <p className="text-sm text-second">None. All runs were started with the same settings.</p>
      ) : (
        <Table caption="Settings that differ" columns={columns} rows={differing} keyOf={({ name }) => name} />
      )}
    </Section>
  )
}
