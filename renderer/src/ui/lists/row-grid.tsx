import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useImperativeHandle, useMemo, useRef } from 'react'
import { cn } from '../cn.ts'
import { GridHeader, GridRow, HEADER_PX } from './row-grid-parts.tsx'
import type { GridColumn, RowGridProps } from './row-grid-types.ts'
import { isSelected } from './selection.ts'
import { useTopOf } from './use-top-of.ts'
import { useWidth } from '../use-width.ts'

const CHECK_PX = 36
/** Left of the first column, where the bar of a row is. */
const EDGE_PX = 4
/** Rows before the end at which more are loaded. */
const EARLY = 20

/** A table of any length of which only the rows in view are rendered. Focus stays on the grid; the current row is its active descendant. */
export function RowGrid<Row extends { id: string }, Column extends GridColumn>(props: RowGridProps<Row, Column>) {
  const { label, rows, total, currentId, openId, selection, rowPx, stale, onEnd, onShown, columnsFor, notice, ref } = props
  const { onPress, onToggle, cell, nameOf, barOf } = props
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const top = useTopOf(body)
  const width = useWidth(scroller)
  const checkPx = onToggle ? CHECK_PX : EDGE_PX
  const columns = useMemo(() => columnsFor(width - checkPx), [columnsFor, width, checkPx])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    initialRect: { width: 800, height: 640 },
    // a row that is scrolled to must not end below the sticky header
    scrollPaddingStart: HEADER_PX,
    scrollMargin: top,
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
  const first = items[0]?.index ?? 0
  useEffect(() => onShown?.(first, last), [first, last, onShown])
  const domIdOf = (id: string) => `row-${id}`
  const isShown = currentId !== null && items.some(({ index }) => rows[index]?.id === currentId)
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable={onToggle ? true : undefined}
      aria-busy={stale || undefined}
      aria-activedescendant={isShown ? domIdOf(currentId) : undefined}
      className={cn('focus-inset relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto', stale && 'opacity-60')}
    >
      <GridHeader {...props} columns={columns} />
      {notice}
      <div ref={body} role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          if (!row) return null
          return (
            <div
              key={item.key}
              role="presentation"
              className="absolute top-0 left-0 w-full"
              style={{ height: item.size, transform: `translateY(${item.start - top}px)` }}
            >
              <GridRow
                domId={domIdOf(row.id)}
                index={item.index}
                row={row}
                columns={columns}
                current={row.id === currentId}
                open={row.id === openId}
                selected={isSelected(selection, row.id)}
                onPress={onPress}
                onToggle={onToggle}
                cell={cell}
                nameOf={nameOf}
                barOf={barOf}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}
