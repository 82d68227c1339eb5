import type { MouseEvent, ReactNode, Ref } from 'react'
import type { Selection } from './selection.ts'

export interface RowGridHandle {
  /** Scrolls the row into view. */
  show: (index: number) => void
  focus: () => void
}

export interface GridColumn {
  id: string
  label: string
  /** In px; the minimum of a column that grows. */
  width: number
  /** Takes the remaining width. */
  grows?: boolean
  /** Aligned right. */
  numeric?: boolean
  /** The order after the first click on its header. */
  sort?: string | null
  /** If the list is narrow, the column with the highest number is hidden first; null stays. */
  leaves: number | null
}

type SortOf<Column extends GridColumn> = NonNullable<Column['sort']>

export interface RowGridProps<Row extends { id: string }, Column extends GridColumn> {
  label: string
  rows: readonly Row[]
  /** Number of rows on the server. */
  total: number
  /** The row that keys act on. */
  currentId: string | null
  /** The row that is open next to the list. */
  openId: string | null
  selection: Selection
  /** Null: the order can't be changed. */
  sort: SortOf<Column> | null
  onSort?: (sort: SortOf<Column>) => void
  /** Height of a row in px. */
  rowPx: number
  /** The rows are those of the previous filter, until the new ones arrive. */
  stale: boolean
  /** The first and last rendered row, some beyond the view. */
  onShown?: (first: number, last: number) => void
  /** Called when the last rows come into view. */
  onEnd: () => void
  onPress: (row: Row, event: MouseEvent) => void
  /** Without it rows have no checkboxes. */
  onToggle?: (row: Row) => void
  /** Without it there is no checkbox that selects all. */
  onSelectAll?: (all: boolean) => void
  /** What the checkbox that selects all selects, in words. */
  allRows?: string
  // the following must stay the same functions, otherwise all rows are rendered again
  /** The columns for this width, in px without the checkboxes. */
  columnsFor: (width: number) => readonly Column[]
  cell: (row: Row, column: Column) => ReactNode
  /** The name of a row, for its checkbox. */
  nameOf: (row: Row) => string
  /** Classes of the bar at the left of a row. */
  barOf?: (row: Row) => string
  /** Next to the label of the column that grows. */
  menu?: ReactNode
  /** Shown over the rows, below the headers. */
  notice?: ReactNode
  ref: Ref<RowGridHandle>
}
