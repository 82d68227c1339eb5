import type { MouseEvent, ReactNode, Ref } from 'react'
import type { Selection } from './selection.ts'

export interface RowGridHandle {
  /** Scrolls as far as this row needs to be in view. */
  show: (index: number) => void
  focus: () => void
}

/** What is shown of each row. */
export interface GridColumn {
  id: string
  label: string
  /** In px; of the one that grows, what it needs at least. */
  width: number
  /** Takes what is left. */
  grows?: boolean
  /** Figures stand at the right. */
  numeric?: boolean
  /** The order that a press on its header begins with. */
  sort?: string | null
  /** Which goes first where the list is narrow: the highest number. Null stays. */
  leaves: number | null
}

type SortOf<Column extends GridColumn> = NonNullable<Column['sort']>

export interface RowGridProps<Row extends { id: string }, Column extends GridColumn> {
  label: string
  rows: readonly Row[]
  /** Number of rows in all, where more are on the server than here. */
  total: number
  /** The row that keys act on. */
  currentId: string | null
  /** The row that is open beside the list. */
  openId: string | null
  selection: Selection
  /** The order of the rows; null: they have one only. */
  sort: SortOf<Column> | null
  onSort?: (sort: SortOf<Column>) => void
  /** Height of a row in px. */
  rowPx: number
  /** Rows of a former filter, shown until those of the new one are there. */
  stale: boolean
  /** The first and last row in view, also shortly before they are. */
  onShown?: (first: number, last: number) => void
  /** Called when the last rows come into view. */
  onEnd: () => void
  onPress: (row: Row, event: MouseEvent) => void
  onToggle: (row: Row) => void
  /** Without it there is no box for all. */
  onSelectAll?: (all: boolean) => void
  /** What the box that selects all takes. */
  allRows?: string
  // what follows stays the same from one drawing to the next, as rows are drawn again for another value
  /** The columns of a grid of this width, in px without the box that selects. */
  columnsFor: (width: number) => readonly Column[]
  cell: (row: Row, column: Column) => ReactNode
  /** What the box of a row says that it selects. */
  nameOf: (row: Row) => string
  /** Classes of the bar at the left of a row. */
  barOf?: (row: Row) => string
  /** Stands beside the label of the column that grows. */
  menu?: ReactNode
  /** Floats under the headers. */
  notice?: ReactNode
  ref: Ref<RowGridHandle>
}
