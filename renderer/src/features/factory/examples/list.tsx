import type { Example } from '#contracts/entities/example.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { GridSkeleton } from '#renderer/ui/lists/row-grid-parts.tsx'
import type { RowGridProps } from '#renderer/ui/lists/row-grid-types.ts'
import { RowGrid } from '#renderer/ui/lists/row-grid.tsx'
import { Skeleton } from '#renderer/ui/states.tsx'
import { CELLS, STATE_BARS } from './cells.tsx'
import { columnsFor, type Column } from './columns.ts'

type Props = Omit<RowGridProps<Example, Column>, 'label' | 'rowPx' | 'columnsFor' | 'cell' | 'nameOf'>

/** The examples under review. */
export const ExampleList = (props: Props) => (
  <RowGrid {...props} label="Examples" rowPx={useRowPx()} columnsFor={columnsFor} cell={cellOf} nameOf={nameOf} barOf={barOf} />
)
const cellOf = (example: Example, column: Column) => CELLS[column.id](example)
const nameOf = ({ prompt }: Example) => prompt.slice(0, 80)
const barOf = ({ state }: Example) => STATE_BARS[state]

export const ListSkeleton = () => (
  <GridSkeleton label="Loading examples">
    <Skeleton className="flex-1" />
    <Skeleton className="w-16" />
    <Skeleton className="w-16" />
  </GridSkeleton>
)
