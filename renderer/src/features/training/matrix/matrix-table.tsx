import { heldoutOf } from '#contracts/heldout.ts'
import type { Run } from '#contracts/entities/run.ts'
import { DASH, formatPercent, formatValue } from '#renderer/ui/format.ts'
import { Table } from '#renderer/ui/table.tsx'
import { figureColumn, heldOutColumn, lossColumns, nameColumn, STATE_COLUMN } from '../compare/run-columns.tsx'
import { Elapsed } from '../elapsed.tsx'
import { measuresReward, triesHeldOut } from '../measured.ts'
import { labelOf, useValueWord } from './value-words.ts'

/** The values and results of each run. Figures that no run measures have no column. */
export function MatrixTable({ runs }: { runs: readonly Run[] }) {
  const word = useValueWord()
  const paths = Object.keys(runs[0]?.matrix?.values ?? {})
  const columns = [
    nameColumn(),
    ...paths.map((path) => figureColumn(labelOf(path), ({ matrix }) => word(path, matrix?.values[path]))),
    STATE_COLUMN,
    ...lossColumns(runs),
    ...(runs.some(measuresReward) ? [REWARD] : []),
    ...(runs.some(triesHeldOut)
      ? [heldOutColumn('Held-out success (95 %)', 'heldout_success_rate', runs, ({ metrics }) => heldoutWord(metrics))]
      : []),
    figureColumn('Time', (run) => <Elapsed run={run} />),
  ]
  return <Table caption="Values and results" columns={columns} rows={runs} keyOf={({ id }) => id} />
}

const REWARD = figureColumn('Reward', ({ metrics }) => formatValue(metrics['reward']))

function heldoutWord(metrics: Run['metrics']): string {
  const heldout = heldoutOf(metrics)
  return heldout === null ? DASH : `${formatPercent(heldout.rate)} (${formatPercent(heldout.low)} to ${formatPercent(heldout.high)})`
}
