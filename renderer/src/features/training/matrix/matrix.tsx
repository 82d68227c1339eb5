import { useMemo } from 'react'
import type { Run } from '#contracts/entities/run.ts'
import { Button } from '#renderer/ui/button.tsx'
import { lookOf } from '#renderer/ui/curves/ink.ts'
import { useView } from '#renderer/ui/curves/use-view.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { isMissing, NotRead } from '#renderer/ui/not-read.tsx'
import { PageHead, Section, useTitle } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { AXES } from '../charts/axes.ts'
import { Curves } from '../charts/curves.tsx'
import { panelsOf } from '../charts/panels.ts'
import { RunFeed } from '../charts/run-feed.tsx'
import { useWords } from '../charts/source.ts'
import { useSources } from '../charts/use-sources.ts'
import { useCancelMatrix, useMatrix } from '../queries.ts'
import { useEachRun } from '../compare/use-each-run.ts'
import { ALL_RUNS, isOver } from '../words.ts'
import { MatrixTable } from './matrix-table.tsx'
import { labelOf, useValueWord } from './value-words.ts'

/** Runs started together to try several values: the values, the results, and a chart of all runs. */
export default function MatrixPage({ id }: { id: string }) {
  useTitle('Several values')
  const matrix = useMatrix(id)
  const matrixRuns = matrix.data?.runs ?? NO_RUNS
  const results = useEachRun(
    matrixRuns.map(({ id }) => id),
    matrixRuns,
  )
  const runs = results.flatMap(({ data, error }) => (data && !isMissing(error) ? [data] : []))
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
  const remaining = runs.filter((run) => !isOver(run)).length
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <PageHead
        heading={`${plural(runs.length, 'run')} with several values`}
        summary={
          <>
            <span role="status">
              {remaining === 0 ? 'All have ended.' : `${formatCount(runs.length - remaining)} ended, ${formatCount(remaining)} left.`}
            </span>{' '}
            · <TextLink href="/training">All runs</TextLink>
          </>
        }
        actions={
          remaining > 0 ? (
            <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel {plural(remaining, 'run')}
            </Button>
          ) : null
        }
      />
      <div className="flex flex-col gap-6 px-6 pt-3 pb-5">
        <MatrixTable runs={runs} />
        <MatrixChart runs={runs} />
      </div>
    </div>
  )
}
const NO_RUNS: readonly Run[] = []

function MatrixChart({ runs }: { runs: readonly Run[] }) {
  const word = useValueWord()
  const [search, change] = useSearchState()
  const [view, onView] = useView(AXES)
  const sources = useSources(runs.map(({ id }) => id))
  const list = useMemo(() => [...sources.values()], [sources])
  useWords(list)
  const labels = runs.map((run) => Object.entries(run.matrix?.values ?? {}).map(([path, value]) => `${labelOf(path)} ${word(path, value)}`).join(', ')) // prettier-ignore
  const key = labels.join('|')
  const drawnRuns = useMemo(
    () => runs.map((run, at) => ({ source: sources.get(run.id)!, name: labels[at]!, strategy: run.strategy, ...lookOf(run) })),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key covers everything read from the runs
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
          <Curves runs={drawnRuns} view={view} onView={onView} markers={NONE} live={runs.some((run) => !isOver(run))} only={chosen.id} />
        </div>
      )}
    </Section>
  )
}
const NONE = [] as const
