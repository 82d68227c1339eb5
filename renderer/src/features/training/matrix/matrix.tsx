import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { heldoutOf } from '#contracts/heldout.ts'
import type { MatrixValue } from '#contracts/entities/matrix-values.ts'
import type { Run } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { runHref } from '#renderer/app/links.ts'
import { useModelWord } from '#renderer/app/words/models.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { lookOf } from '#renderer/ui/curves/ink.ts'
import { Swatch } from '#renderer/ui/curves/swatch.tsx'
import { useView } from '#renderer/ui/curves/use-view.ts'
import { DASH, formatCount, formatPercent, formatValue, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { isGone, NotRead } from '#renderer/ui/not-read.tsx'
import { Section, useTitle } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { AXES } from '../charts/axes.ts'
import { Curves } from '../charts/curves.tsx'
import { panelsOf } from '../charts/panels.ts'
import { RunFeed } from '../charts/run-feed.tsx'
import { useWords } from '../charts/source.ts'
import { useSources } from '../charts/use-sources.ts'
import { Elapsed } from '../elapsed.tsx'
import { useCancelMatrix, useMatrix } from '../queries.ts'
import { ALL_RUNS, isOver, STATE_WORDS } from '../words.ts'

/** Runs that were started together to try several values: what differs, what came of it, and one chart of all. */
export default function MatrixPage({ id }: { id: string }) {
  useTitle('Several values')
  const matrix = useMatrix(id)
  const listed = matrix.data?.runs ?? NO_RUNS
  // each run by itself: messages keep it current
  const asked = useQueries({
    queries: listed.map((run) => ({
      queryKey: runKeys.one(run.id),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.getRun({ params: { id: run.id }, signal }),
      placeholderData: run,
    })),
  })
  const runs = asked.flatMap(({ data, error }) => (data && !isGone(error) ? [data] : []))
  const cancel = useCancelMatrix(id)
  if (matrix.error && !matrix.data)
    return <NotRead what="matrix of runs" error={matrix.error} retry={() => void matrix.refetch()} all={ALL_RUNS} />
  if (runs.length === 0) {
    return (
      <Loading label="Loading the runs" className="flex flex-col gap-4 p-6">
        <Skeleton className="h-6 w-64" />
        <Skeleton className="h-40 w-full" />
      </Loading>
    )
  }
  const left = runs.filter((run) => !isOver(run)).length
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="flex flex-col gap-6 px-6 py-5">
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-xl font-semibold">{plural(runs.length, 'run')} with several values</h1>
          <p role="status" className="flex-1 text-sm text-second">
            {left === 0 ? 'All are over.' : `${formatCount(runs.length - left)} over, ${formatCount(left)} to go.`}
          </p>
          {left > 0 ? (
            <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel {plural(left, 'run')}
            </Button>
          ) : null}
          <TextLink href="/training" className="text-sm">
            All runs
          </TextLink>
        </header>
        <MatrixTable runs={runs} />
        <OneChart runs={runs} />
      </div>
    </div>
  )
}
const NO_RUNS: readonly Run[] = []

const MODEL_AXIS = 'baseModel'

/** "Learning rate" of `learningRate`, "Rank" of `method.rank`. The form's labels would bring the whole form with them. */
function labelOf(path: string): string {
  const words = path.slice(path.lastIndexOf('.') + 1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function useValueWord(): (path: string, value: MatrixValue | undefined) => string {
  const modelWord = useModelWord()
  return (path, value) =>
    path === MODEL_AXIS
      ? modelWord(String(value))
      : Array.isArray(value)
        ? value.join(', ')
        : value === undefined
          ? DASH
          : String(value ?? 'none')
}

function MatrixTable({ runs }: { runs: readonly Run[] }) {
  const word = useValueWord()
  const paths = Object.keys(runs[0]?.matrix?.values ?? {})
  const number = 'px-2 py-1 text-right font-mono text-xs whitespace-nowrap'
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">What differs and what came of it</caption>
        <thead>
          <tr className="border-b border-line text-xs text-second *:px-2 *:py-1.5 *:font-normal">
            <th scope="col" className="text-left">
              Run
            </th>
            {paths.map((path) => (
              <th key={path} scope="col" className="text-right whitespace-nowrap">
                {labelOf(path)}
              </th>
            ))}
            <th scope="col" className="text-left">
              State
            </th>
            {['Steps', 'Loss', 'Eval loss', 'Reward', 'Held-out success (95 %)', 'Time'].map((label) => (
              <th key={label} scope="col" className="text-right whitespace-nowrap">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id} className="border-b border-line last:border-b-0">
              <td className="max-w-80 px-2 py-1">
                <span className="flex min-w-0 items-center gap-2">
                  <Swatch {...lookOf(run)} />
                  <TextLink href={runHref(run.id)} className="truncate">
                    {run.name}
                  </TextLink>
                </span>
              </td>
              {paths.map((path) => (
                <td key={path} className={number}>
                  {word(path, run.matrix?.values[path])}
                </td>
              ))}
              <td className={cn('px-2 py-1', STATE_WORDS[run.state].ink)} title={run.error?.message}>
                {STATE_WORDS[run.state].label}
              </td>
              <td className={number}>{formatCount(run.step)}</td>
              <td className={number}>{formatValue(run.loss)}</td>
              <td className={number}>{formatValue(run.evalLoss)}</td>
              <td className={number}>{formatValue(run.metrics['reward'])}</td>
              <td className={number}>{heldoutWord(run.metrics)}</td>
              <td className={number}>
                <Elapsed run={run} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function heldoutWord(metrics: Run['metrics']): string {
  const found = heldoutOf(metrics)
  return found === null ? DASH : `${formatPercent(found.rate)} (${formatPercent(found.low)} to ${formatPercent(found.high)})`
}

function OneChart({ runs }: { runs: readonly Run[] }) {
  const word = useValueWord()
  const [search, change] = useSearchState()
  const [view, onView] = useView(AXES)
  const sources = useSources(runs.map(({ id }) => id))
  const list = useMemo(() => [...sources.values()], [sources])
  useWords(list)
  const names = runs.map((run) => Object.entries(run.matrix?.values ?? {}).map(([path, value]) => `${labelOf(path)} ${word(path, value)}`).join(', ')) // prettier-ignore
  const key = names.join('|')
  const shown = useMemo(
    () => runs.map((run, at) => ({ source: sources.get(run.id)!, name: names[at]!, strategy: run.strategy, ...lookOf(run) })),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says all that is read of the runs
    [key, sources],
  )
  const { main, more } = panelsOf([...new Set(list.flatMap((source) => source.whole?.names ?? []))], runs[0]!.strategy)
  const panels = [...main, ...more]
  const chosen = panels.find(({ id }) => id === search.get('metric')) ?? panels[0]
  return (
    <Section title="Chart">
      {list.map((source) => (
        <RunFeed key={source.runId} source={source} view={view} />
      ))}
      {chosen === undefined ? (
        <p className="text-sm text-second">Nothing has been measured yet.</p>
      ) : (
        <div className="flex flex-col gap-3">
          <Select
            label="Metric"
            className="w-60"
            value={chosen.id}
            options={panels.map(({ id, title }) => ({ value: id, label: title }))}
            onChange={(metric) => change({ metric }, { replace: true })}
          />
          <Curves shown={shown} view={view} onView={onView} markers={NONE} live={runs.some((run) => !isOver(run))} only={chosen.id} />
        </div>
      )}
    </Section>
  )
}
const NONE = [] as const
