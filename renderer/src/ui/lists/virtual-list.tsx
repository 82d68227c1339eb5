import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useImperativeHandle, useRef, type ReactNode, type Ref } from 'react'
import { cn } from '../cn.ts'
import { useTopOf } from './use-top-of.ts'

export interface VirtualListHandle {
  scrollToIndex: (index: number, align?: 'auto' | 'start' | 'center' | 'end') => void
  element: HTMLDivElement | null
}

/**
 * A list of any length of which only the visible rows are rendered. `estimate` is the height of a row in px; with
 * `measured` it is measured. `header` stays on top.
 */
export function VirtualList<Item>({
  items,
  total,
  estimate,
  measured = false,
  overscan = 8,
  keyOf,
  children,
  header,
  label,
  onEnd,
  className,
  ref,
}: {
  items: readonly Item[]
  /** Number of rows on the server, if not all are loaded. */
  total?: number
  estimate: number | ((index: number) => number)
  measured?: boolean
  overscan?: number
  keyOf: (item: Item, index: number) => string
  children: (item: Item, index: number) => ReactNode
  header?: ReactNode
  label: string
  /** Called when the last rows come into view. */
  onEnd?: () => void
  className?: string
  ref?: Ref<VirtualListHandle>
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const top = useTopOf(body)
  const virtualizer: Virtualizer<HTMLDivElement, Element> = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: typeof estimate === 'function' ? estimate : () => estimate,
    overscan,
    scrollMargin: top,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item, index)
    },
  })
  // the density may change while the list is shown
  useEffect(() => {
    if (!measured) virtualizer.measure()
  }, [estimate, measured, virtualizer])

  useImperativeHandle(
    ref,
    () => ({ scrollToIndex: (index, align = 'auto') => virtualizer.scrollToIndex(index, { align }), element: scroller.current }),
    [virtualizer],
  )

  const rows = virtualizer.getVirtualItems()
  const last = rows.at(-1)?.index ?? -1
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 1 - overscan) onEnd?.()
  }, [last, items.length, overscan, onEnd])

  return (
    // reachable by Tab, so that the browser's keys scroll it
    <div
      ref={scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={cn('focus-inset relative min-h-0 flex-1 overflow-auto', className)}
    >
      {header}
      <div ref={body} role="list" aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index]
          if (item === undefined) return null
          return (
            <div
              key={row.key}
              ref={measured ? virtualizer.measureElement : undefined}
              data-index={row.index}
              role="listitem"
              aria-posinset={row.index + 1}
              aria-setsize={total ?? items.length}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${row.start - top}px)`, ...(measured ? {} : { height: row.size }) }}
            >
              {children(item, row.index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
