import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useImperativeHandle, useMemo, useRef, type ReactNode, type Ref } from 'react'
import { cn } from './cn.ts'
import { useWidth } from './use-width.ts'

export interface RowGridHandle {
  /** Scrolls as far as this row needs to be in view. */
  show: (index: number) => void
  focus: () => void
}

/** What a row is drawn with: its place, and the id that the grid points at while the row is the current one. */
interface RowPlace {
  domId: string
  index: number
}

interface Props<Row extends { id: string }, Columns> {
  label: string
  rows: readonly Row[]
  /** Number of rows in all, where more are on the server than here. */
  total: number
  currentId: string | null
  /** Height of a row in px. */
  rowPx: number
  /** Rows of a former filter, shown until those of the new one are there. */
  stale: boolean
  /** Called when the last rows come into view. */
  onEnd: () => void
  /** What is shown of a row in a grid of this width, in px without the box that selects. Stays the same function, as rows are drawn again for another answer. */
  columnsFor: (width: number) => Columns
  /** A row of headers, 32 px high. */
  header: (columns: Columns) => ReactNode
  children: (row: Row, columns: Columns, place: RowPlace) => ReactNode
  ref: Ref<RowGridHandle>
}

const HEADER_PX = 32
const CHECK_PX = 36
/** So many rows before the end, more are asked for. */
const EARLY = 20

/** A table of any length of which only the rows in view exist. Focus stays on the grid; the current row is its active descendant. */
export function RowGrid<Row extends { id: string }, Columns>(props: Props<Row, Columns>) {
  const { label, rows, total, currentId, rowPx, stale, onEnd, columnsFor, header, children, ref } = props
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const columns = useMemo(() => columnsFor(width - CHECK_PX), [columnsFor, width])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    initialRect: { width: 800, height: 640 },
    // the header covers the first rows' height: a row scrolled to must not end beneath it
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
    if (rows.length > 0 && last >= rows.length - EARLY) onEnd()
  }, [last, rows.length, onEnd])
  const domIdOf = (id: string) => `row-${id}`
  const isShown = currentId !== null && items.some(({ index }) => rows[index]?.id === currentId)
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable
      aria-busy={stale || undefined}
      aria-activedescendant={isShown ? domIdOf(currentId) : undefined}
      className={cn('focus-inset relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto', stale && 'opacity-60')}
    >
      {header(columns)}
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          if (!row) return null
          return (
            <div
              key={item.key}
              role="presentation"
              className="absolute top-0 left-0 w-full"
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
            >
              {children(row, columns, { domId: domIdOf(row.id), index: item.index })}
            </div>
          )
        })}
      </div>
    </div>
  )
}
