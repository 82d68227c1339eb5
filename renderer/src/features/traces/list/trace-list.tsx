import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { useCallback, type MouseEvent, type Ref } from 'react'
import type { Trace } from '#contracts/entities/trace.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { plural } from '#renderer/ui/format.ts'
import { Menu, MenuCheck, MenuLabel } from '#renderer/ui/menu.tsx'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import type { SortKey } from '../url-state.ts'
import { toggleColumn, useColumns } from './column-store.ts'
import { COLUMNS, columnsFor, nextSort, sortDirection, type Column } from './columns.ts'
import { RowGrid, type RowGridHandle } from '#renderer/ui/row-grid.tsx'
import { isSelected, type Selection } from '#renderer/ui/selection.ts'
import { TraceRow } from './trace-row.tsx'

interface Props {
  rows: readonly Trace[]
  total: number
  sort: SortKey
  onSort: (sort: SortKey) => void
  currentId: string | null
  openId: string | null
  selection: Selection
  newCount: number
  onNew: () => void
  /** Rows of a former filter, shown until those of the new one are there. */
  stale: boolean
  onEnd: () => void
  onPress: (trace: Trace, event: MouseEvent) => void
  onToggle: (trace: Trace) => void
  onSelectAll: (all: boolean) => void
  ref: Ref<RowGridHandle>
}

/** The sessions that the filter holds. */
export function TraceList(props: Props) {
  const { rows, total, currentId, openId, selection, newCount, stale, onEnd, onPress, onToggle, ref } = props
  const chosen = useColumns((state) => state.chosen)
  return (
    <RowGrid
      ref={ref}
      label="Sessions"
      rows={rows}
      total={total}
      currentId={currentId}
      rowPx={useRowPx()}
      stale={stale}
      onEnd={onEnd}
      columnsFor={useCallback((width: number) => columnsFor(chosen, width), [chosen])}
      header={(columns) => (
        <>
          <Header {...props} columns={columns} />
          {newCount > 0 ? (
            <div className="sticky top-8 z-10 flex h-0 justify-center overflow-visible">
              <Button size="small" look="primary" onClick={props.onNew} className="mt-1 shadow-float">
                {plural(newCount, 'new session')}
              </Button>
            </div>
          ) : null}
        </>
      )}
    >
      {(trace, columns, { domId, index }) => (
        <TraceRow
          id={domId}
          trace={trace}
          index={index}
          columns={columns}
          current={trace.id === currentId}
          open={trace.id === openId}
          selected={isSelected(selection, trace.id)}
          onPress={onPress}
          onToggle={onToggle}
        />
      )}
    </RowGrid>
  )
}

function Header({ columns, sort, onSort, selection, rows, onSelectAll }: Props & { columns: readonly Column[] }) {
  const some = selection.kind === 'all' || selection.ids.size > 0
  const all = selection.kind === 'all' || (rows.length > 0 && selection.ids.size >= rows.length)
  return (
    <div role="rowgroup" className="sticky top-0 z-20 bg-bg">
      <div role="row" aria-rowindex={1} className="flex h-8 items-center border-b border-line pl-1 text-xs text-second">
        <div role="columnheader" aria-label="Selected" className="flex w-8 shrink-0 justify-center">
          <Checkbox label="Select all rows" checked={all ? true : some ? 'indeterminate' : false} onChange={() => onSelectAll(!some)} />
        </div>
        {columns.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            aria-sort={column.sort ? sortDirection(sort, column) : undefined}
            style={column.id === 'title' ? { minWidth: columns.length > 2 ? column.width : 0 } : { width: column.width }}
            className={cn('flex h-full min-w-0 items-center', column.id === 'title' ? 'flex-1' : 'shrink-0')}
          >
            <HeaderCell column={column} sort={sort} onSort={onSort} />
            {column.id === 'title' ? <ColumnMenu /> : null}
          </div>
        ))}
      </div>
    </div>
  )
}

function HeaderCell({ column, sort, onSort }: { column: Column; sort: SortKey; onSort: (sort: SortKey) => void }) {
  if (!column.sort) return <span className="flex h-full items-center px-2">{column.label}</span>
  const direction = sortDirection(sort, column)
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      onClick={() => onSort(nextSort(sort, column))}
      className={cn(
        'focus-inset flex h-full min-w-0 flex-1 items-center gap-1 px-2 hover:text-text',
        column.numeric && 'justify-end',
        direction !== 'none' && 'font-semibold text-text',
      )}
    >
      <span className={column.width < 40 ? 'sr-only' : 'truncate'}>{column.label}</span>
      {direction === 'none' || column.width < 40 ? null : <Arrow size={12} aria-hidden className="shrink-0" />}
    </button>
  )
}

function ColumnMenu() {
  const chosen = useColumns((state) => state.chosen)
  return (
    <Menu align="end" trigger={<IconButton size="small" icon={Columns3} label="Columns" />}>
      <MenuLabel>Columns, where there is room</MenuLabel>
      {COLUMNS.filter(({ leaves }) => leaves !== null).map((column) => (
        <MenuCheck key={column.id} checked={chosen.includes(column.id)} onChange={() => toggleColumn(column.id)}>
          {column.label}
        </MenuCheck>
      ))}
    </Menu>
  )
}

/** The list before its first rows: header and rows of the final height. */
export const ListSkeleton = () => (
  <Loading label="Reading the sessions" className="@container min-h-0 flex-1 overflow-hidden">
    <div className="h-8 border-b border-line" />
    {Array.from({ length: 40 }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <div key={index} className="flex h-(--row) items-center gap-3 border-b border-line px-3">
        <Skeleton className="size-4" />
        <Skeleton className="w-4 @min-[520px]:w-16" />
        <Skeleton className="flex-1" />
        <Skeleton className="hidden w-24 @min-[520px]:block" />
        <Skeleton className="hidden w-16 @min-[520px]:block" />
      </div>
    ))}
  </Loading>
)
