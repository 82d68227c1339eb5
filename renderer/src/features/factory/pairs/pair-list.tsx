import type { ReactNode } from 'react'
import type { Pair } from '#contracts/entities/example.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { fitColumns } from '#renderer/ui/lists/fit-columns.ts'
import type { GridColumn, RowGridProps } from '#renderer/ui/lists/row-grid-types.ts'
import { RowGrid } from '#renderer/ui/lists/row-grid.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { STATE_WORDS } from '../examples/words.ts'
import { SOURCE_WORDS } from './words.ts'

interface Column extends GridColumn {
  cell: (pair: Pair) => ReactNode
}

const TONE: Record<Pair['state'], Tone> = { proposed: 'neutral', accepted: 'ok', rejected: 'bad' }

const tierOf = ({ tier, unverified }: Pair['chosen']) => (unverified ? `${tier}, unverified` : tier)

const COLUMNS: readonly Column[] = [
  {
    id: 'prompt',
    label: 'Prompt',
    width: 170,
    grows: true,
    leaves: null,
    cell: ({ promptText, source, why }) => (
      <span className="flex flex-col gap-0.5">
        <span className="truncate">
          <Visible text={promptText.replaceAll(/\s+/g, ' ')} />
        </span>
        <span className="truncate text-xs text-second" title={why}>
          {SOURCE_WORDS[source].label} · {why}
        </span>
      </span>
    ),
  },
  {
    id: 'repo',
    label: 'Repository',
    width: 160,
    leaves: 3,
    cell: ({ repo }) => <span className="block truncate text-xs text-second">{repo ?? 'No repository'}</span>,
  },
  {
    id: 'similarity',
    label: 'Similarity',
    width: 112,
    leaves: 2,
    cell: ({ similarity }) => <span className="text-xs text-second">{similarity === null ? 'same prompt' : formatScore(similarity)}</span>,
  },
  {
    id: 'tiers',
    label: 'Tiers',
    width: 160,
    leaves: 1,
    cell: ({ chosen, rejected }) => (
      <span className="text-xs text-second">
        {tierOf(chosen)} over {tierOf(rejected)}
      </span>
    ),
  },
  { id: 'state', label: 'State', width: 96, leaves: null, cell: ({ state }) => <Badge tone={TONE[state]}>{STATE_WORDS[state]}</Badge> },
]
const columnsFor = (width: number): Column[] => fitColumns(COLUMNS, width)

/** Two lines of text. */
const ROW_PX = 56

type Props = Omit<RowGridProps<Pair, Column>, 'label' | 'sort' | 'rowPx' | 'columnsFor' | 'cell' | 'nameOf'>

/** The pairs under review. */
export const PairList = (props: Props) => (
  <RowGrid {...props} label="Pairs" sort={null} rowPx={ROW_PX} columnsFor={columnsFor} cell={cellOf} nameOf={nameOf} />
)
const cellOf = (pair: Pair, column: Column) => column.cell(pair)
const nameOf = ({ promptText }: Pair) => promptText.slice(0, 60)
