import { lookup } from '#contracts/lookup.ts'
import { useQueries } from '@tanstack/react-query'
import { Eye, EyeOff, Pin } from 'lucide-react'
import { useMemo } from 'react'
import { RunId, type Run } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { runHref } from '#renderer/app/links.ts'
import { CALL_FIGURES } from '#renderer/app/words/call-figures.ts'
import { useModelWord } from '#renderer/app/words/models.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatBytes, formatCompact, formatCount, formatValue } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { goneSentence, isGone, SomeGone } from '#renderer/ui/not-read.tsx'
import { Section, useTitle } from '#renderer/ui/page.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { AXES } from '../charts/axes.ts'
import { Curves } from '../charts/curves.tsx'
import { lookOf } from '#renderer/ui/curves/ink.ts'
import { RunFeed } from '../charts/run-feed.tsx'
import { useSources } from '../charts/use-sources.ts'
import { Swatch } from '#renderer/ui/curves/swatch.tsx'
import { useView } from '#renderer/ui/curves/use-view.ts'
import { Elapsed } from '../elapsed.tsx'
import { isOver, STATE_WORDS } from '../words.ts'
import { configDiff } from './config-diff.ts'

const listOf = (text: string | null): string[] => [...new Set((text ?? '').split(',').filter(Boolean))]

/** Curves of several runs over one another, what differs in how they were started, and how they ended. */
export default function CompareRuns() {
  useTitle('Compare runs')
  const [search, change] = useSearchState()
  const text = search.get('runs') ?? ''
  const wanted = useMemo(() => listOf(text), [text])
  // an address may be typed, and its runs may be deleted: what is left is compared
  const ids = useMemo(() => wanted.filter((id) => RunId.safeParse(id).success), [wanted])
  const hidden = listOf(search.get('hide'))
  const pinned = search.get('pin')
  const asked = useQueries({
    queries: ids.map((id) => ({
      queryKey: runKeys.one(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.getRun({ params: { id }, signal }),
    })),
  })
  const gone = asked.filter((one) => isGone(one.error)).length + wanted.length - ids.length
  const error = asked.find((one) => one.error && !isGone(one.error))?.error
  const runs = asked.flatMap(({ data }) => data ?? [])
  if (wanted.length - gone < 2) {
    return (
      <EmptyState title="Select at least two runs" action={<ButtonLink href="/training">Choose runs</ButtonLink>}>
        {gone > 0 ? `${goneSentence(gone, 'run')} ` : ''}
        Select two or more runs in the list, then choose Compare.
      </EmptyState>
    )
  }
  if (error)
    return (
      <ErrorState className="m-6" title="Couldn't load a run" error={error} action={<ButtonLink href="/training">All runs</ButtonLink>} />
    )
  if (runs.length < wanted.length - gone) {
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
      <div className="flex flex-col gap-6 px-6 py-5">
        <header className="flex flex-wrap items-baseline gap-x-4">
          <h1 className="flex-1 text-xl font-semibold">Compare {runs.length} runs</h1>
          <TextLink href="/training" className="text-sm">
            All runs
          </TextLink>
        </header>
        <SomeGone count={gone} what="run" onLeaveOut={() => change({ runs: runs.map(({ id }) => id).join(',') }, { replace: true })} />
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
  const key = `${runs.map(({ id, name }) => `${id} ${name}`).join()}|${hidden.join()}|${pinned}`
  const shown = useMemo(
    () => {
      const all = runs
        .map((run) => ({ id: run.id, source: sources.get(run.id)!, name: run.name, strategy: run.strategy, ...lookOf(run) }))
        .filter(({ id }) => !hidden.includes(id))
      // what is pinned is drawn last: it lies above the others
      return all.toSorted((a, b) => Number(a.id === pinned) - Number(b.id === pinned))
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says all that is read of the runs
    [key, sources],
  )
  return (
    <Section title="Curves">
      {runs.map(({ id }) => (
        <RunFeed key={id} source={sources.get(id)!} view={view} />
      ))}
      {shown.length === 0 ? <p className="text-sm text-second">Every run is hidden.</p> : null}
      {shown.length > 0 ? (
        <Curves shown={shown} view={view} onView={onView} markers={NONE} live={runs.some((run) => !isOver(run))} />
      ) : null}
    </Section>
  )
}
const NONE = [] as const

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
  const number = 'px-2 py-1 text-right font-mono text-xs whitespace-nowrap'
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Run results</caption>
        <thead>
          <tr className="border-b border-line text-xs text-second *:px-2 *:py-1.5 *:font-normal">
            <th scope="col" className="text-left">
              Run
            </th>
            <th scope="col" className="text-left">
              Show
            </th>
            <th scope="col" className="text-left">
              State
            </th>
            {['Steps', 'Loss', 'Eval loss', ...names.map((name) => END_FIGURES[name] ?? name), 'Tokens/s', 'Duration', 'Peak memory'].map(
              (label) => (
                <th key={label} scope="col" className="text-right whitespace-nowrap">
                  {label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id} className="border-b border-line last:border-b-0">
              <td className="max-w-80 px-2 py-1">
                <span className="flex min-w-0 items-center gap-2">
                  {hidden.includes(run.id) ? <span className="w-5 shrink-0" /> : <Swatch {...lookOf(run)} />}
                  <TextLink href={runHref(run.id)} className="truncate">
                    {run.name}
                  </TextLink>
                </span>
              </td>
              <td className="px-2 py-0.5">
                <span className="flex">
                  <IconButton
                    size="small"
                    icon={hidden.includes(run.id) ? EyeOff : Eye}
                    label={hidden.includes(run.id) ? `Show ${run.name}` : `Hide ${run.name}`}
                    aria-pressed={hidden.includes(run.id)}
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
              </td>
              <td className={cn('px-2 py-1', STATE_WORDS[run.state].ink)}>{STATE_WORDS[run.state].label}</td>
              <td className={number}>{formatCount(run.step)}</td>
              <td className={number}>{formatValue(run.loss)}</td>
              <td className={number}>{formatValue(run.evalLoss)}</td>
              {names.map((name) => (
                <td key={name} className={number}>
                  {formatValue(run.metrics[name])}
                </td>
              ))}
              <td className={number}>{run.tokensPerSec === null ? '–' : formatCompact(Math.round(run.tokensPerSec))}</td>
              <td className={number}>
                <Elapsed run={run} />
              </td>
              <td className={number}>
                {formatBytes((run.peakVramMb ?? run.peakRssMb) === null ? null : (run.peakVramMb ?? run.peakRssMb)! * 1e6)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Figures beside the loss that say how a run of their strategy ended. */
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
  return (
    <Section title="What differs" note="Settings at start; those that are the same in all runs are hidden">
      {differing.length === 0 ? (
        <p className="text-sm text-second">None. All runs were started with the same settings.</p>
      ) : (
        <div className="relative overflow-x-auto">
          <table className="border-collapse text-sm">
            <caption className="sr-only">Settings that differ</caption>
            <thead>
              <tr className="border-b border-line text-xs text-second">
                <th scope="col" className="py-1.5 pr-6 text-left font-normal">
                  Setting
                </th>
                {runs.map((run) => (
                  <th key={run.id} scope="col" className="max-w-60 py-1.5 pr-6 text-left font-normal">
                    <span className="flex items-center gap-2">
                      <Swatch {...lookOf(run)} />
                      <span className="truncate">{run.name}</span>
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {differing.map(({ name, values }) => (
                <tr key={name} className="border-b border-line last:border-b-0">
                  <th scope="row" className="py-1 pr-6 text-left font-normal text-second">
                    {name}
                  </th>
                  {values.map((value, at) => (
                    <td key={runs[at]?.id} className="max-w-60 truncate py-1 pr-6 font-mono text-xs" title={value ?? undefined}>
                      {value ?? '–'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}
