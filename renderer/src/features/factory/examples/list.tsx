import { ArrowDown, ArrowUp } from 'lucide-react'
import type { MouseEvent, Ref } from 'react'
import type { Example } from '#contracts/entities/example.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { RowGrid, type RowGridHandle } from '#renderer/ui/row-grid.tsx'
import { isSelected, type Selection } from '#renderer/ui/selection.ts'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { columnsFor, type Column } from './columns.ts'
import { ExampleRow } from './row.tsx'
import { nextSort, type SortKey } from './url.ts'

interface Props {
  rows: readonly Example[]
  total: number
  sort: SortKey
  onSort: (sort: SortKey) => void
  currentId: string | null
  openId: string | null
  selection: Selection
  stale: boolean
  onEnd: () => void
  onPress: (example: Example, event: MouseEvent) => void
  onToggle: (example: Example) => void
  onSelectAll: (all: boolean) => void
  ref: Ref<RowGridHandle>
}

/** The examples under review. */
export function ExampleList(props: Props) {
  const { rows, total, currentId, openId, selection, stale, onEnd, onPress, onToggle, ref } = props
  return (
    <RowGrid
      ref={ref}
      label="Examples"
      rows={rows}
      total={total}
      currentId={currentId}
      rowPx={useRowPx()}
      stale={stale}
      onEnd={onEnd}
      columnsFor={columnsFor}
      header={(columns) => <Header {...props} columns={columns} />}
    >
      {(example, columns, { domId, index }) => (
        <ExampleRow
          id={domId}
          example={example}
          index={index}
          columns={columns}
          current={example.id === currentId}
          open={example.id === openId}
          selected={isSelected(selection, example.id)}
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
            aria-sort={column.sort ? directionOf(sort, column.sort) : undefined}
            style={column.id === 'prompt' ? { minWidth: 0 } : { width: column.width }}
            className={cn('flex h-full min-w-0 items-center', column.id === 'prompt' ? 'flex-1' : 'shrink-0')}
          >
            <HeaderCell column={column} sort={sort} onSort={onSort} />
          </div>
        ))}
      </div>
    </div>
  )
}

function HeaderCell({ column, sort, onSort }: { column: Column; sort: SortKey; onSort: (sort: SortKey) => void }) {
  const { sort: by } = column
  if (!by) return <span className={cn('flex h-full flex-1 items-center px-2', column.numeric && 'justify-end')}>{column.label}</span>
  const direction = directionOf(sort, by)
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      onClick={() => onSort(nextSort(sort, by))}
      className={cn(
        'focus-inset flex h-full min-w-0 flex-1 items-center gap-1 px-2 hover:text-text',
        column.numeric && 'justify-end',
        direction !== 'none' && 'font-semibold text-text',
      )}
    >
      <span className="truncate">{column.label}</span>
      {direction === 'none' ? null : <Arrow size={12} aria-hidden className="shrink-0" />}
    </button>
  )
}

const directionOf = (sort: SortKey, by: SortKey): 'ascending' | 'descending' | 'none' =>
  sort.replace('-', '') !== by.replace('-', '') ? 'none' : sort.startsWith('-') ? 'descending' : 'ascending'

export const ListSkeleton = () => (
  <Loading label="Reading the examples" className="min-h-0 flex-1 overflow-hidden">
    <div className="h-8 border-b border-line" />
    {Array.from({ length: 40 }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <div key={index} className="flex h-(--row) items-center gap-3 border-b border-line px-3">
        <Skeleton className="size-4" />
        <Skeleton className="flex-1" />
        <Skeleton className="w-16" />
        <Skeleton className="w-16" />
      </div>
    ))}
  </Loading>
)
