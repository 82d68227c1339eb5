import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useImperativeHandle, useMemo, useRef, type MouseEvent, type Ref } from 'react'
import type { Example } from '#contracts/entities/example.ts'
import { useTheme } from '#renderer/stores/theme.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { isSelected, type Selection } from '#renderer/ui/selection.ts'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useWidth } from '#renderer/ui/use-width.ts'
import { fitColumns, type Column } from './columns.ts'
import { ExampleRow } from './row.tsx'
import { nextSort, type SortKey } from './url.ts'

export interface ListHandle {
  show: (index: number) => void
  focus: () => void
}

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
  ref: Ref<ListHandle>
}

const ROW_PX = { compact: 32, comfortable: 40 } as const
const CHECK_PX = 36
const HEADER_PX = 32

/** The examples, of which only those in view exist. Focus stays on the grid; the current row is its active descendant. */
export function ExampleList(props: Props) {
  const { rows, total, currentId, openId, selection, stale, onEnd, onPress, onToggle, ref } = props
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const rowPx = ROW_PX[useTheme((state) => state.density)]
  const columns = useMemo(() => fitColumns(width - CHECK_PX), [width])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    initialRect: { width: 800, height: 640 },
    scrollPaddingStart: HEADER_PX,
  })
  useEffect(() => virtualizer.measure(), [rowPx, virtualizer])
  useImperativeHandle(
    ref,
    () => ({
      show: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
      focus: () => scroller.current?.focus({ preventScroll: true }),
    }),
    [virtualizer],
  )
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) onEnd()
  }, [last, rows.length, onEnd])
  const shown = items.some(({ index }) => rows[index]?.id === currentId)
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label="Examples"
      aria-rowcount={total + 1}
      aria-multiselectable
      aria-busy={stale || undefined}
      aria-activedescendant={shown && currentId !== null ? rowDomId(currentId) : undefined}
      className={cn('focus-inset relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto', stale && 'opacity-60')}
    >
      <Header {...props} columns={columns} />
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const example = rows[item.index]
          if (!example) return null
          return (
            <div
              key={item.key}
              role="presentation"
              className="absolute top-0 left-0 w-full"
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
            >
              <ExampleRow
                id={rowDomId(example.id)}
                example={example}
                index={item.index}
                columns={columns}
                current={example.id === currentId}
                open={example.id === openId}
                selected={isSelected(selection, example.id)}
                onPress={onPress}
                onToggle={onToggle}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}

const rowDomId = (id: string) => `example-${id}`

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
