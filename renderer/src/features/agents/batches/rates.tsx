import type { BatchRate, BatchReport } from '#contracts/entities/batch.ts'
import { formatCount, formatDuration, formatUsd } from '#renderer/ui/format.ts'
import type { Column } from '#renderer/ui/table.tsx'
import { rateColumns, RateFigure, type RateRow } from '#renderer/app/rates.tsx'
import { passSentence } from './words.ts'

type Row = BatchRate & RateRow

/** Pass rates of all attempts, and of each model if there are several. */
export const Rates = ({ report: { total, byModel } }: { report: BatchReport }) => (
  <RateFigure
    title="Pass rate"
    summary={passSentence(total)}
    caption="Pass rates"
    columns={COLUMNS}
    rows={[
      { label: 'All attempts', ...total },
      ...(byModel.length > 1 ? byModel.map(({ model, ...rate }) => ({ label: model ?? 'model not known', ...rate })) : []),
    ]}
  />
)

const COLUMNS: Column<Row>[] = [
  ...rateColumns<Row>('Model', 'Pass rate'),
  { id: 'passed', label: 'Passed', numeric: true, cell: ({ passed }) => formatCount(passed) },
  { id: 'failed', label: 'Failed', numeric: true, cell: ({ failed }) => formatCount(failed) },
  { id: 'unverified', label: 'Unverified', numeric: true, cell: ({ unverified }) => formatCount(unverified) },
  { id: 'owed', label: 'No result', numeric: true, cell: ({ owed }) => formatCount(owed) },
  { id: 'cost', label: 'Cost', numeric: true, cell: ({ costUsd }) => formatUsd(costUsd) },
  { id: 'median', label: 'Median time', numeric: true, cell: ({ medianMs }) => formatDuration(medianMs) },
]
