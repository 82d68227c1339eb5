import type { BatchRate, BatchReport } from '#contracts/entities/batch.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { formatCount, formatDuration, formatUsd } from '#renderer/ui/format.ts'
import type { Column } from '#renderer/ui/table.tsx'
import { intervalWord, rateSentence, rateWord } from './words.ts'

interface Row extends BatchRate {
  label: string
}

/** Pass rates with their intervals: of all attempts, and of each model where there are several. */
export function Rates({ report: { total, byModel } }: { report: BatchReport }) {
  const rows: Row[] = [
    { label: 'All attempts', ...total },
    ...(byModel.length > 1 ? byModel.map(({ model, ...rate }) => ({ label: model ?? 'model not known', ...rate })) : []),
  ]
  return (
    <Figure
      title="Pass rate"
      summary={rateSentence(total)}
      table={{ caption: 'Pass rates', columns: COLUMNS, rows, keyOf: ({ label }) => label }}
    >
      <ul className="flex flex-col">
        {rows.map((row) => (
          <li key={row.label} className={`${GRID} min-h-8`}>
            <span className="truncate" title={row.label}>
              {row.label}
            </span>
            <Dot row={row} />
            <span className="font-mono text-xs">
              {rateWord(row)} {row.rate === null ? null : <span className="text-second">({intervalWord(row)})</span>}
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
}

const GRID = 'grid grid-cols-[minmax(96px,200px)_minmax(0,1fr)_170px] items-center gap-3 text-sm'
const HEIGHT = 20
const percent = (share: number) => `${share * 100}%`

/** The rate as a dot on its interval; beside it stand the same values in words. */
const Dot = ({ row: { rate, low, high } }: { row: Row }) => (
  <span aria-hidden className="px-2">
    <svg width="100%" height={HEIGHT} className="block overflow-visible">
      <line x1="0" x2="100%" y1={HEIGHT / 2} y2={HEIGHT / 2} stroke="var(--line)" />
      {['0', '50%', '100%'].map((x) => (
        <line key={x} x1={x} x2={x} y1={HEIGHT / 2 - 4} y2={HEIGHT / 2 + 4} stroke="var(--line)" />
      ))}
      {rate === null || low === null || high === null ? null : (
        <>
          <line x1={percent(low)} x2={percent(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} stroke="var(--series-1)" strokeWidth={3} />
          <circle cx={percent(rate)} cy={HEIGHT / 2} r={5} fill="var(--series-1)" stroke="var(--bg)" strokeWidth={1.5} />
        </>
      )}
    </svg>
  </span>
)

const COLUMNS: Column<Row>[] = [
  { id: 'label', label: 'Model', cell: ({ label }) => label },
  { id: 'rate', label: 'Pass rate', numeric: true, cell: rateWord },
  { id: 'interval', label: '95 % interval', numeric: true, cell: intervalWord },
  { id: 'passed', label: 'Passed', numeric: true, cell: ({ passed }) => formatCount(passed) },
  { id: 'failed', label: 'Failed', numeric: true, cell: ({ failed }) => formatCount(failed) },
  { id: 'unverified', label: 'Unverified', numeric: true, cell: ({ unverified }) => formatCount(unverified) },
  { id: 'owed', label: 'Owed', numeric: true, cell: ({ owed }) => formatCount(owed) },
  { id: 'cost', label: 'Cost', numeric: true, cell: ({ costUsd }) => formatUsd(costUsd) },
  { id: 'median', label: 'Median time', numeric: true, cell: ({ medianMs }) => formatDuration(medianMs) },
]
