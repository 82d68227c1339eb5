import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useMemo, useRef } from 'react'
import { cn } from '#renderer/ui/cn.ts'
import { formatCount, formatDuration, formatUsd } from '#renderer/ui/format.ts'
import { fitColumns } from '#renderer/ui/lists/fit-columns.ts'
import { useTopOf } from '#renderer/ui/lists/use-top-of.ts'
import { useWidth } from '#renderer/ui/use-width.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { type Axis, ticksOf, type View } from './axis.ts'
import type { SpanRow } from './rows.ts'
import { KIND_CLASSES, KIND_WORDS, NOT_MEASURED, timeWord } from './words.ts'

interface Props {
  rows: readonly SpanRow[]
  axis: Axis
  look: 'waterfall' | 'table'
  view: View
  currentId: string | null
  rowPx: number
  /** Must stay the same function. */
  onPick: (id: string) => void
}

const HEADER_PX = 28
const INDENT_PX = 14

/** Every span of a session, of which only the rows in view are rendered: as bars along the time, or as figures. */
export function SpanGrid({ rows, axis, look, view, currentId, rowPx, onPick }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const top = useTopOf(body)
  const width = useWidth(scroller)
  const columns = useMemo(() => fitColumns(COLUMNS, width - Math.min(NAME_PX, width * NAME_SHARE)), [width])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    initialRect: { width: 800, height: 640 },
    scrollPaddingStart: HEADER_PX,
    scrollMargin: top,
  })
  useEffect(() => virtualizer.measure(), [rowPx, virtualizer])
  const current = useMemo(() => rows.findIndex(({ id }) => id === currentId), [rows, currentId])
  // also after a link to a span was followed
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: 'auto' })
  }, [current, virtualizer])
  const items = virtualizer.getVirtualItems()
  const isShown = currentId !== null && items.some(({ index }) => rows[index]?.id === currentId)
  return (
    <div
      ref={scroller}
      role="treegrid"
      tabIndex={0}
      aria-label="Spans"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={isShown ? domIdOf(currentId) : undefined}
      className="focus-inset relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto"
    >
      <div role="rowgroup" className="sticky top-0 z-20 bg-bg">
        <div role="row" aria-rowindex={1} className="flex h-7 items-center border-b border-line px-2 text-xs text-second">
          <div role="columnheader" className={NAME_CLASSES}>
            Span
          </div>
          {look === 'waterfall' ? <Ticks axis={axis} view={view} /> : columns.map(({ id, label }) => <Header key={id} label={label} />)}
        </div>
      </div>
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
              <Row
                row={row}
                index={item.index}
                columns={look === 'table' ? columns : null}
                from={view.from}
                to={view.to}
                isCurrent={row.id === currentId}
                onPick={onPick}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}

const domIdOf = (id: string): string => `span-${id}`
const NAME_PX = 320
const NAME_SHARE = 0.45
/** As wide as the two say. */
const NAME_CLASSES = 'flex w-80 max-w-[45%] shrink-0 items-center gap-2 pr-3'

const Header = ({ label }: { label: string }) => (
  <div role="columnheader" className="w-24 shrink-0 truncate px-2 text-right">
    {label}
  </div>
)

/** Times since the start of the session, as the clock counts them. */
const Ticks = ({ axis, view }: { axis: Axis; view: View }) => (
  <div role="columnheader" aria-label="Time" className="relative h-full min-w-0 flex-1 overflow-hidden">
    {ticksOf(view).map((tick) => (
      <span
        key={tick}
        className="absolute inset-y-0 content-center border-l border-line pl-1 whitespace-nowrap"
        style={{ left: `${((tick - view.from) / (view.to - view.from)) * 100}%` }}
      >
        {formatDuration(axis.clockAt(tick))}
      </span>
    ))}
  </div>
)

interface RowProps extends View {
  row: SpanRow
  index: number
  /** Null: bars. */
  columns: readonly FigureColumn[] | null
  isCurrent: boolean
  onPick: (id: string) => void
}

const Row = memo(function Row({ row, index, columns, from, to, isCurrent, onPick }: RowProps) {
  const { span, depth } = row
  return (
    // the page handles the keys (j, k, Enter)
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={domIdOf(row.id)}
      role="row"
      aria-rowindex={index + 2}
      aria-level={depth + 1}
      aria-selected={isCurrent}
      onClick={() => onPick(row.id)}
      className={cn(
        'flex h-full cursor-default items-center border-b border-line px-2 text-xs hover:bg-raised/60',
        isCurrent && 'current-row',
      )}
    >
      <div role="gridcell" className={NAME_CLASSES} style={{ paddingLeft: Math.min(depth, 8) * INDENT_PX }}>
        <span aria-hidden className={cn('size-2.5 shrink-0 rounded-xs', KIND_CLASSES[span.kind])} />
        <span className="sr-only">{KIND_WORDS[span.kind]}</span>
        <span className={cn('shrink-0 font-semibold', span.error !== undefined && 'text-bad')}>
          <Visible text={span.name} />
        </span>
        <span className="min-w-0 truncate text-second">{span.label === null ? null : <Visible text={span.label} />}</span>
      </div>
      {columns === null ? <Bar row={row} from={from} to={to} /> : <Figures row={row} columns={columns} />}
    </div>
  )
})

/** The least that can be seen, in per cent. */
const LEAST = 0.15

function Bar({ row: { span, place }, from, to }: { row: SpanRow } & View) {
  const words = `${timeWord(span.durationMs)}${span.error === undefined ? '' : `, ${span.error}`}`
  if (place === null)
    return (
      <div role="gridcell" className="min-w-0 flex-1 text-second">
        {NOT_MEASURED}
      </div>
    )
  const left = ((place.from - from) / (to - from)) * 100
  const width = ((place.to - place.from) / (to - from)) * 100
  const isOutside = left > 100 || left + width < 0
  const start = Math.max(0, left)
  const end = Math.min(100, Math.max(left + width, start + LEAST))
  return (
    <div role="gridcell" className="relative h-full min-w-0 flex-1 overflow-hidden">
      <span className="sr-only">{words}</span>
      {isOutside ? null : (
        <>
          <span
            aria-hidden
            className={cn(
              'absolute top-1/2 h-3 min-w-0.5 -translate-y-1/2 rounded-xs',
              KIND_CLASSES[span.kind],
              span.durationMs === null && 'w-0! border-l-2 border-dotted border-edge bg-transparent',
              span.error !== undefined && 'ring-1 ring-bad',
            )}
            style={{ left: `${start}%`, width: `${end - start}%` }}
          />
          <span
            aria-hidden
            className="absolute top-1/2 -translate-y-1/2 px-1 whitespace-nowrap text-second"
            style={end > 85 ? { right: `${100 - start}%` } : { left: `${end}%` }}
          >
            {words}
          </span>
        </>
      )}
    </div>
  )
}

const count = (value: number | null | undefined) => (value === undefined ? '' : formatCount(value))

interface FigureColumn {
  id: string
  label: string
  width: number
  leaves: number | null
  cell: (row: SpanRow) => string
}

const FIGURE_PX = 96
const figure = (id: string, label: string, leaves: number | null, cell: FigureColumn['cell']): FigureColumn => ({
  id,
  label,
  width: FIGURE_PX,
  leaves,
  cell,
})
const COLUMNS = [
  figure('kind', 'Kind', 6, ({ span }) => KIND_WORDS[span.kind]),
  figure('duration', 'Duration', null, ({ span }) => timeWord(span.durationMs)),
  figure('input', 'Input', 4, ({ span }) => count(span.tokens?.input)),
  figure('output', 'Output', 3, ({ span }) => count(span.tokens?.output)),
  figure('read', 'Cache read', 1, ({ span }) => count(span.tokens?.cacheRead)),
  figure('write', 'Cache write', 0, ({ span }) => count(span.tokens?.cacheWrite)),
  figure('cost', 'Cost', 2, ({ span }) => (span.tokens ? formatUsd(span.costUsd) : '')),
  figure('error', 'Error', 5, ({ span }) => span.error ?? ''),
]

const Figures = ({ row, columns }: { row: SpanRow; columns: readonly FigureColumn[] }) =>
  columns.map(({ id, cell }) => (
    <div key={id} role="gridcell" className="w-24 shrink-0 truncate px-2 text-right font-mono" title={cell(row)}>
      {cell(row)}
    </div>
  ))
