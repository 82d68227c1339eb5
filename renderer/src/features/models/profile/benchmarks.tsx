import type { BenchmarkRun } from '#contracts/entities/benchmark.ts'
import type { Model } from '#contracts/entities/model.ts'
import { useBenchmarkRuns, useEvaluateModel } from '#renderer/api/benchmarks.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { benchmarkRunHref, benchmarksHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH, formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'

const SHOWN = 10

/** What the model reached on public benchmarks, newest first. */
export function Benchmarks({ model: { id } }: { model: Model }) {
  const list = useBenchmarkRuns(id)
  const { rows } = useRows(list)
  const evaluate = useEvaluateModel()
  const offline = useOfflineReason()
  const { runs, left } = evaluate.data ?? { runs: [], left: [] }
  return (
    <Section
      title="Benchmarks"
      note={<TextLink href={`${benchmarksHref}?model=${id}`}>All results of this model</TextLink>}
      actions={
        <Button reason={offline} busy={evaluate.isPending} onClick={() => evaluate.mutate(id)}>
          Run all that are ready
        </Button>
      }
    >
      {evaluate.data ? (
        <p role="status" className="text-sm text-second">
          {plural(runs.length, 'run')} started.{' '}
          {left.length === 0 ? '' : `Not run: ${left.map(({ benchmark, reason }) => `${benchmark} (${reason})`).join(' ')}`}
        </p>
      ) : null}
      <Fetched query={{ ...list, refetch: list.refetch }} what="benchmarks" bars={['h-8 w-full']}>
        {() =>
          rows.length === 0 ? (
            <p className="text-sm text-second">
              Not measured: this model has not been run on any benchmark. A lower loss does not prove better results.
            </p>
          ) : (
            <Table caption="Benchmarks" columns={COLUMNS} rows={rows.slice(0, SHOWN)} keyOf={(run) => run.id} />
          )
        }
      </Fetched>
    </Section>
  )
}

const COLUMNS: Column<BenchmarkRun>[] = [
  { id: 'title', label: 'Benchmark', cell: ({ id, title }) => <TextLink href={benchmarkRunHref(id)}>{title}</TextLink> },
  { id: 'value', label: 'Right', numeric: true, cell: ({ value }) => (value === null ? DASH : formatPercent(value, 1)) },
  { id: 'items', label: 'Items', numeric: true, cell: ({ items }) => formatCount(items) },
  { id: 'owed', label: 'Owed', numeric: true, cell: ({ owed }) => formatCount(owed) },
  { id: 'at', label: 'Started', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]
