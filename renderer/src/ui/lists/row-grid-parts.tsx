import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Checkbox } from '../checkbox.tsx'
import { cn } from '../cn.ts'
import type { GridColumn, RowGridProps } from './row-grid-types.ts'
import { nextSort, sortDirection } from './row-sort.ts'
import { Loading, Skeleton } from '../states.tsx'

export const HEADER_PX = 32
/** Narrower columns have no visible label. */
const WORDS_FROM_PX = 40

/** The column that grows keeps its minimum while other columns can be dropped. */
const styleOf = ({ grows, width }: GridColumn, count: number) => (grows === true ? { minWidth: count > 2 ? width : 0 } : { width })

export function GridHeader<Row extends { id: string }, Column extends GridColumn>({
  columns,
  rows,
  selection,
  sort,
  onSort,
  onSelectAll,
  onToggle,
  allRows = 'all rows',
  menu,
}: RowGridProps<Row, Column> & { columns: readonly Column[] }) {
  const some = selection.kind === 'all' || selection.ids.size > 0
  const all = selection.kind === 'all' || (rows.length > 0 && selection.ids.size >= rows.length)
  return (
    <div role="rowgroup" className="sticky top-0 z-20 bg-bg">
      <div role="row" aria-rowindex={1} className="flex h-8 items-center border-b border-line pl-1 text-xs text-second">
        {onToggle ? (
          <div role="columnheader" aria-label="Selected" className="flex w-8 shrink-0 justify-center">
            {onSelectAll ? (
              <Checkbox
                label={`Select ${allRows}`}
                checked={all ? true : some ? 'indeterminate' : false}
                onChange={() => onSelectAll(!some)}
              />
            ) : null}
          </div>
        ) : null}
        {columns.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            aria-sort={sort === null || !column.sort ? undefined : sortDirection(sort, column.sort)}
            style={styleOf(column, columns.length)}
            className={cn('flex h-full min-w-0 items-center', column.grows === true ? 'flex-1' : 'shrink-0')}
          >
            <HeaderCell column={column} sort={sort} onSort={onSort} />
            {column.grows === true ? menu : null}
          </div>
        ))}
      </div>
    </div>
  )
}

type HeaderCellProps<Column extends GridColumn> = { column: Column } & Pick<RowGridProps<{ id: string }, Column>, 'sort' | 'onSort'>

function HeaderCell<Column extends GridColumn>({ column, sort, onSort }: HeaderCellProps<Column>) {
  const { label, width, numeric, sort: first } = column
  const words = <span className={width < WORDS_FROM_PX ? 'sr-only' : 'truncate'}>{label}</span>
  const classes = cn('flex h-full min-w-0 flex-1 items-center gap-1 px-2', numeric === true && 'justify-end')
  if (!first || sort === null || !onSort) return <span className={classes}>{words}</span>
  const direction = sortDirection(sort, first)
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      onClick={() => onSort(nextSort(sort, first))}
      className={cn(classes, 'focus-inset hover:text-text', direction !== 'none' && 'font-semibold text-text')}
    >
      {words}
      {direction === 'none' || width < WORDS_FROM_PX ? null : <Arrow size={12} aria-hidden className="shrink-0" />}
    </button>
  )
}

interface RowProps<Row extends { id: string }, Column extends GridColumn> extends Pick<
  RowGridProps<Row, Column>,
  'onPress' | 'onToggle' | 'cell' | 'nameOf' | 'barOf'
> {
  domId: string
  index: number
  row: Row
  columns: readonly Column[]
  current: boolean
  open: boolean
  selected: boolean
}

function Row<One extends { id: string }, Column extends GridColumn>(props: RowProps<One, Column>) {
  const { domId, index, row, columns, current, open, selected, onPress, onToggle, cell, nameOf, barOf } = props
  return (
    // the grid handles the keys (j, k, Enter, x)
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={domId}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={onToggle ? selected : undefined}
      aria-current={open || undefined}
      onClick={(event) => onPress(row, event)}
      className={cn(
        'relative flex h-full cursor-default items-center border-b border-line pl-1 text-sm',
        open ? 'bg-raised' : selected ? 'bg-accent/12' : 'hover:bg-raised/60',
        current && 'current-row',
      )}
    >
      {barOf ? <span aria-hidden className={cn('absolute inset-y-0 left-0 w-1', barOf(row))} /> : null}
      {onToggle ? (
        <div role="gridcell" className="flex w-8 shrink-0 justify-center">
          {/* for clicks; the grid handles the key x */}
          <Checkbox
            label={`Select ${nameOf(row)}`}
            checked={selected}
            onChange={() => onToggle(row)}
            onClick={(event) => event.stopPropagation()}
            tabIndex={-1}
          />
        </div>
      ) : null}
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          style={styleOf(column, columns.length)}
          className={cn(
            'min-w-0 px-2',
            column.grows === true ? 'flex-1' : 'shrink-0',
            column.numeric === true && 'text-right font-mono text-xs whitespace-nowrap',
          )}
        >
          {cell(row, column)}
        </div>
      ))}
    </div>
  )
}
/** Rendered again only when its props change. */
export const GridRow = memo(Row) as typeof Row

const ROWS = 40
/** A grid while it loads. `children`: the content of each row after the checkbox. */
export const GridSkeleton = ({ label, children }: { label: string; children: ReactNode }) => (
  <Loading label={label} className="@container min-h-0 flex-1 overflow-hidden">
    <div className="h-8 border-b border-line" />
    {Array.from({ length: ROWS }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <div key={index} className="flex h-(--row) items-center gap-3 border-b border-line px-3">
        <Skeleton className="size-4" />
        {children}
      </div>
    ))}
  </Loading>
)
