import { signed } from '#contracts/exam-words.ts'
import type { BenchmarkComparison } from '#contracts/entities/benchmark.ts'
import { useComparedRuns } from '#renderer/api/benchmarks.ts'
import { benchmarkRunHref } from '#renderer/app/links.ts'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { IntervalDot } from '#renderer/ui/figures/interval-dot.tsx'
import { DASH, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { ALL_BENCHMARKS } from './words.ts'

type Compared = BenchmarkComparison['runs'][number]

/** `?runs=`: two to six runs, each against the first. */
export default function Compare() {
  const [search] = useSearchState()
  const ids = (search.get('runs') ?? '').split(',').filter(Boolean)
  return (
    <FetchedPage query={useComparedRuns(ids)} what="comparison" all={ALL_BENCHMARKS}>
      {({ title, items, runs }) => (
        <Page
          title={title}
          summary={
            <>
              <TextLink href={ALL_BENCHMARKS.href}>{ALL_BENCHMARKS.label}</TextLink> · {plural(items, 'item')} that every model answered ·
              each against the first
            </>
          }
        >
          <Table caption="Comparison" columns={COLUMNS} rows={runs} keyOf={({ id }) => id} />
        </Page>
      )}
    </FetchedPage>
  )
}

const at = (value: number) => Math.min(1, Math.max(0, (value + 1) / 2))

const COLUMNS: Column<Compared>[] = [
  {
    id: 'model',
    label: 'Model',
    cell: ({ id, label }) => (
      <TextLink href={benchmarkRunHref(id)}>
        <Visible text={label} />
      </TextLink>
    ),
  },
  { id: 'value', label: 'Right', numeric: true, cell: ({ value }) => (value === null ? DASH : formatPercent(value, 1)) },
  { id: 'delta', label: 'Difference', numeric: true, cell: ({ delta }) => (delta === null ? DASH : signed(delta)) },
  {
    id: 'interval',
    label: '95 % interval',
    cell: ({ delta, low, high }) =>
      delta === null ? null : (
        <span className="block w-48">
          <IntervalDot
            at={at(delta)}
            interval={low === null || high === null ? null : [at(low), at(high)]}
            ticks={[0.5]}
            label={`Difference ${signed(delta)}, from −1 to +1 with 0 marked`}
          />
        </span>
      ),
  },
  { id: 'wins', label: 'Won / lost / tied', numeric: true, cell: ({ wins, losses, ties }) => `${wins} / ${losses} / ${ties}` },
  { id: 'p', label: 'p (Holm)', numeric: true, cell: ({ p }) => (p === null ? DASH : p.toPrecision(2)) },
]
