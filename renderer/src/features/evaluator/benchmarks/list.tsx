import { useState } from 'react'
import { useLocation } from 'wouter'
import { BENCHMARK_STATE_WORDS } from '#contracts/benchmark-words.ts'
import type { Benchmark, BenchmarkRun } from '#contracts/entities/benchmark.ts'
import { useBenchmarkRuns, useBenchmarks } from '#renderer/api/benchmarks.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { benchmarkRunHref, benchmarksHref } from '#renderer/app/links.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH, formatBytes, formatCount, formatPercent } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { EVALUATOR_TABS } from '../tabs.ts'
import { NewRun } from './new-run.tsx'
import { RUN_WORDS, SET_TONES } from './words.ts'

const MOST_COMPARED = 6

/** As high as the ten benchmarks, so that the results below them do not move. */
const BARS = Array.from({ length: 10 }, () => 'h-12 w-full')

/** `/evaluator/benchmarks`; with `?model=` runs of one model. */
export function BenchmarkList() {
  const [search] = useSearchState()
  const model = search.get('model')
  const [asking, setAsking] = useState<Benchmark | null>(null)
  const offline = useOfflineReason()
  const fetching = useJobOf(
    'benchmark-fetch',
    (benchmark: Benchmark['name']) => api.fetchBenchmark({ body: { benchmark } }),
    "Couldn't fetch the set",
  )
  const list = useBenchmarks(fetching.job?.endedAt ?? null)
  const columns: Column<Benchmark>[] = [
    {
      id: 'name',
      label: 'Benchmark',
      cell: ({ title, measures }) => (
        <span className="flex flex-col">
          <b>{title}</b>
          <span className="text-xs text-second">{measures}</span>
        </span>
      ),
    },
    { id: 'items', label: 'Items', numeric: true, cell: ({ parts }) => formatCount(parts[0]!.items) },
    { id: 'licence', label: 'Licence', cell: ({ set }) => set.licence },
    { id: 'size', label: 'Size', numeric: true, cell: ({ set }) => (set.bytes === null ? DASH : formatBytes(set.bytes)) },
    {
      id: 'state',
      label: 'State',
      cell: ({ state, reason, way }) => (
        <span className="flex max-w-96 flex-col items-start gap-1">
          <Badge tone={SET_TONES[state]}>{BENCHMARK_STATE_WORDS[state]}</Badge>
          {state === 'ready' ? null : <span className="text-xs break-words text-second">{[reason, way].filter(Boolean).join(' ')}</span>}
        </span>
      ),
    },
    {
      id: 'actions',
      label: <span className="sr-only">Actions</span>,
      cell: (benchmark) => (
        <span className="flex justify-end gap-2">
          {benchmark.state === 'can_be_fetched' ? (
            <Button
              size="small"
              reason={offline}
              busy={fetching.busy}
              aria-label={`Fetch ${benchmark.title}`}
              onClick={() => fetching.start(benchmark.name)}
            >
              Fetch
            </Button>
          ) : null}
          {benchmark.state === 'not_available' ? null : (
            <Button size="small" reason={offline} aria-label={`Run ${benchmark.title} …`} onClick={() => setAsking(benchmark)}>
              Run …
            </Button>
          )}
        </span>
      ),
    },
  ]
  return (
    <Page
      title="Evaluator"
      summary="Public benchmarks, asked and scored on this machine. Each result names its set, revision and form."
      tabs={<TabLinks {...EVALUATOR_TABS} current="benchmarks" />}
    >
      {fetching.running ? <JobProgress name="Fetching a set" job={fetching.running} /> : null}
      {fetching.error ? <ErrorState title="Couldn't fetch the set" error={fetching.error} /> : null}
      <Section title="Benchmarks">
        <Fetched query={{ ...list, refetch: list.refetch }} what="benchmarks" bars={BARS}>
          {({ items }) => <Table caption="Benchmarks" columns={columns} rows={items} keyOf={({ name }) => name} />}
        </Fetched>
      </Section>
      <Runs model={model} />
      {asking ? <NewRun benchmark={asking} model={model} onClose={() => setAsking(null)} /> : null}
    </Page>
  )
}

function Runs({ model }: { model: string | null }) {
  const list = useBenchmarkRuns(model)
  const { rows, more } = useRows(list)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [, go] = useLocation()
  const choose = (id: string, isChosen: boolean) => setChosen((now) => (isChosen ? [...now, id] : now.filter((one) => one !== id)))
  const reason =
    chosen.length < 2 ? 'Choose two to six runs of one benchmark.' : chosen.length > MOST_COMPARED ? 'Choose at most six.' : null
  const choice: Column<BenchmarkRun> = {
    id: 'choice',
    label: <span className="sr-only">Compare</span>,
    cell: ({ id, title, label }) => (
      <Checkbox label={`Compare ${label} on ${title}`} checked={chosen.includes(id)} onChange={(isChosen) => choose(id, isChosen)} />
    ),
  }
  return (
    <Section
      title={model === null ? 'Results' : 'Results of this model'}
      note={model === null ? null : <TextLink href={benchmarksHref}>All models</TextLink>}
      actions={
        rows.length < 2 ? null : (
          <Button reason={reason} onClick={() => go(`${benchmarksHref}/compare?runs=${chosen.join(',')}`)}>
            Compare
          </Button>
        )
      }
    >
      <Fetched query={{ ...list, refetch: list.refetch }} what="results" bars={['h-8 w-full']}>
        {() =>
          rows.length === 0 ? (
            <p className="text-sm text-second">No benchmark was run yet.</p>
          ) : (
            <>
              <Table caption="Results" columns={[choice, ...COLUMNS]} rows={rows} keyOf={({ id }) => id} />
              {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
            </>
          )
        }
      </Fetched>
    </Section>
  )
}

const COLUMNS: Column<BenchmarkRun>[] = [
  { id: 'title', label: 'Benchmark', cell: ({ id, title }) => <TextLink href={benchmarkRunHref(id)}>{title}</TextLink> },
  { id: 'model', label: 'Model', cell: ({ label }) => <Visible text={label} /> },
  { id: 'state', label: 'State', cell: ({ state }) => <Badge tone={RUN_WORDS[state].tone}>{RUN_WORDS[state].label}</Badge> },
  { id: 'value', label: 'Right', numeric: true, cell: ({ value }) => (value === null ? DASH : formatPercent(value, 1)) },
  { id: 'items', label: 'Items', numeric: true, cell: ({ items }) => formatCount(items) },
  { id: 'owed', label: 'Owed', numeric: true, cell: ({ owed }) => formatCount(owed) },
  { id: 'started', label: 'Started', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]
