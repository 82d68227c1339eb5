import { wilsonOfTasks } from '#contracts/wilson.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { IntervalDot } from '#renderer/ui/figures/interval-dot.tsx'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import type { Column } from '#renderer/ui/table.tsx'

/** A share with its 95 % interval. */
export interface Rate {
  rate: number | null
  low: number | null
  high: number | null
}

/** `tasks`: what the attempts were made at; the interval counts these. */
export const rateOf = (passed: number, of: number, tasks: number): Rate => ({
  rate: of === 0 ? null : passed / of,
  ...(wilsonOfTasks(passed, of, tasks) ?? { low: null, high: null }),
})

/** "67 %" or "not measured". */
export const rateWord = ({ rate }: Pick<Rate, 'rate'>): string => (rate === null ? 'not measured' : formatPercent(rate))

/** "21 % to 94 %" */
export const intervalWord = ({ low, high }: Pick<Rate, 'low' | 'high'>): string =>
  low === null || high === null ? '' : `${formatPercent(low)} to ${formatPercent(high)}`

/** "1 of 2 attempts passed: 50 %, 95 % interval 9 % to 91 %. Not counted: 2 not verified." */
export function rateSentence({
  passed,
  of,
  tasks,
  noun,
  verb,
  unknown,
  notCounted,
}: {
  passed: number
  of: number
  tasks: number
  noun: string
  verb: string
  /** Shown instead of the rate if `of` is 0. */
  unknown: string
  notCounted: readonly (string | false)[]
}): string {
  const rate = rateOf(passed, of, tasks)
  const left = notCounted.filter(Boolean)
  const sentence =
    of === 0 ? unknown : `${formatCount(passed)} of ${plural(of, noun)} ${verb}: ${rateWord(rate)}, 95 % interval ${intervalWord(rate)}.`
  return left.length === 0 ? sentence : `${sentence} Not counted: ${left.join(' and ')}.`
}

export const RateCell = ({ rate }: { rate: Rate }) => (
  <>
    {rateWord(rate)} {rate.low === null ? null : <span className="text-second">({intervalWord(rate)})</span>}
  </>
)

export interface RateRow extends Rate {
  label: string
}

/** Columns of the table behind a figure; `label` is the heading of the first column. */
export const rateColumns = <Row extends RateRow>(label: string, rate: string): Column<Row>[] => [
  { id: 'label', label, cell: (row) => row.label },
  { id: 'rate', label: rate, numeric: true, cell: rateWord },
  { id: 'interval', label: '95 % interval', numeric: true, cell: intervalWord },
]

/** A figure with each rate as a dot on its interval. */
export const RateFigure = <Row extends RateRow>({
  title,
  summary,
  caption,
  columns,
  rows,
}: {
  title: string
  summary: string
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
}) => (
  <Figure title={title} summary={summary} table={{ caption, columns, rows, keyOf: ({ label }) => label }}>
    <ul className="flex flex-col">
      {rows.map((row) => (
        <li key={row.label} className={`${GRID} min-h-8`}>
          <span className="truncate" title={row.label}>
            {row.label}
          </span>
          <IntervalDot at={row.rate} interval={row.low === null || row.high === null ? null : [row.low, row.high]} ticks={TICKS} />
          <span className="font-mono text-xs">
            <RateCell rate={row} />
          </span>
        </li>
      ))}
    </ul>
    <div aria-hidden className={`${GRID} text-xs text-second`}>
      <span className="col-start-2 flex justify-between px-2 font-mono">
        <span>0 %</span>
        <span>50 %</span>
        <span>100 %</span>
      </span>
    </div>
  </Figure>
)

const GRID = 'grid grid-cols-[minmax(96px,200px)_minmax(0,1fr)_170px] items-center gap-3 text-sm'
const TICKS = [0, 0.5, 1]
