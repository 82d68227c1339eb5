import { ChartLine, Download, Maximize2, Table2, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { createStore, useStore } from 'zustand'
import { Badge } from '../badge.tsx'
import { IconButton } from '../button.tsx'
import { plural } from '../format.ts'
import { Menu, MenuItem } from '../menu.tsx'
import { toast } from '../toast.tsx'
import { useWidth } from '../use-width.ts'
import { ChartTable } from './chart-table.tsx'
import { csvOf, pngOf, save, svgOf } from './export.ts'
import { inkOf } from './ink.ts'
import { Legend } from './legend.tsx'
import { Plot, type Line } from './plot.ts'
import type { Marker } from './strokes.ts'
import type { Span, View } from './view.ts'
import { brokenSentence, sentenceOf } from './words.ts'

export interface ChartProps {
  title: string
  unit: string
  /** Name of exported files. */
  file: string
  lines: readonly (Line & { count: number; broken: readonly number[] })[]
  view: View
  spanOf: () => Span | null
  markers: readonly Marker[]
  /** What is wrong with these curves. */
  warning?: string | null
  /** Calls back whenever the curves grow; returns a function that stops it. */
  onGrow: (drawer: () => void) => () => void
  onRange: (range: Span | null) => void
  onZoom: (change: { factor?: number; shift?: number }) => void
}

const HEIGHT = 200
/** Space for the heading and the legend in full screen. */
const FULLSCREEN_MARGIN = 150

/** Curves with heading, legend, summary, table and exports. Keys: arrows move the crosshair, with Shift the view; + − zoom; 0 shows all. */
export function Chart(props: ChartProps) {
  const { title, unit, lines, view } = props
  const [asTable, setAsTable] = useState(false)
  const [full, setFull] = useState(false)
  const figure = useRef<HTMLElement>(null)
  const [plot, setPlot] = useState<Plot | null>(null)
  const [outside, setOutside] = useState(0)
  const [pointer] = useState(() => createStore<{ place: number | null }>(() => ({ place: null })))
  const cursor = useStore(pointer, ({ place }) => place)
  const id = useId()
  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement === figure.current && figure.current !== null)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [])
  const broken = useMemo(() => brokenSentence(lines.flatMap((line) => line.broken)), [lines])
  const isBlank = broken !== null && lines.every((line) => line.broken.length >= line.count)
  const sentence = lines.map((line) => sentenceOf(line, line.count)).join('. ')
  return (
    <figure ref={figure} aria-labelledby={id} className="flex min-w-0 flex-col gap-1 rounded border border-line bg-panel p-2 pb-1.5">
      <div className="flex min-h-7 items-center gap-1">
        <h3 id={id} className="shrink-0 text-sm font-semibold">
          {title}
        </h3>
        <span className="min-w-0 flex-1 truncate text-xs text-second" title={unit}>
          {unit}
        </span>
        {broken ? (
          <span title={broken}>
            <Badge tone="bad">NaN</Badge>
            <span className="sr-only">{broken}</span>
          </span>
        ) : null}
        <Outside points={outside} view={view} />
        <IconButton
          size="small"
          label={asTable ? `Show ${title} as chart` : `Show ${title} as table`}
          icon={asTable ? ChartLine : Table2}
          onClick={() => setAsTable(!asTable)}
        />
        <ExportMenu {...props} plot={plot} />
        <IconButton
          size="small"
          label={full ? `${title}: exit full screen` : `${title}: full screen`}
          icon={Maximize2}
          onClick={() => {
            const done = full ? document.exitFullscreen() : figure.current?.requestFullscreen()
            done?.catch(() => toast.error('The browser did not allow full screen'))
          }}
        />
      </div>
      {asTable ? (
        <ChartTable title={title} lines={lines} height={full ? innerHeight - FULLSCREEN_MARGIN : HEIGHT} />
      ) : (
        <Canvas
          {...props}
          height={full ? innerHeight - FULLSCREEN_MARGIN : HEIGHT}
          label={`${title}. ${sentence}`}
          onPlot={setPlot}
          onCursor={(place) => pointer.setState({ place })}
          onOutside={setOutside}
        />
      )}
      <Legend lines={lines} view={view} cursor={cursor} plot={plot} />
      {isBlank ? <p className="px-1 text-xs text-second">Cannot draw the chart: {broken}</p> : null}
      {props.warning ? (
        <p className="flex items-center gap-1.5 px-1 text-xs text-warn">
          <TriangleAlert size={12} aria-hidden className="shrink-0" />
          {props.warning}
        </p>
      ) : null}
      <figcaption className={full || asTable ? 'text-xs text-second' : 'sr-only'}>{sentence}.</figcaption>
    </figure>
  )
}

function Canvas({
  lines,
  view,
  spanOf,
  markers,
  onGrow,
  onRange,
  onZoom,
  height,
  label,
  onPlot,
  onCursor,
  onOutside,
}: ChartProps & {
  height: number
  label: string
  onPlot: (plot: Plot | null) => void
  onCursor: (place: number | null) => void
  onOutside: (points: number) => void
}) {
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  const [plot, setPlot] = useState<Plot | null>(null)
  const events = useRef({ onRange, onCursor, onOutside })
  useEffect(() => {
    events.current = { onRange, onCursor, onOutside }
  })
  const isMeasured = width > 0
  useEffect(() => {
    if (!host.current || !isMeasured) return undefined
    const newPlot = new Plot(
      host.current,
      { width: host.current.clientWidth, height: host.current.clientHeight, sync: `curves-${view.axis.id}` },
      {
        onZoom: (span) => events.current.onRange(span),
        onReset: () => events.current.onRange(null),
        onCursor: (place) => events.current.onCursor(place),
        onOutside: (points) => events.current.onOutside(points),
      },
    )
    setPlot(newPlot)
    onPlot(newPlot)
    return () => {
      newPlot.destroy()
      setPlot(null)
      onPlot(null)
    }
  }, [isMeasured, view.axis, onPlot])
  useEffect(() => {
    if (plot && width > 0) plot.resize({ width, height })
  }, [plot, width, height])
  useEffect(() => plot?.show({ lines, view, spanOf, markers }), [plot, lines, view, spanOf, markers])
  useEffect(() => (plot ? onGrow(() => plot.redraw()) : undefined), [plot, onGrow])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const side = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (side !== 0 && event.shiftKey) onZoom({ shift: side * 0.25 })
    else if (side !== 0) plot?.moveCursor(side * 0.02)
    else if (event.key === '+' || event.key === '=') onZoom({ factor: 0.5 })
    else if (event.key === '-') onZoom({ factor: 2 })
    else if (event.key === '0') onRange(null)
    else return
    event.preventDefault()
  }
  return (
    // handles the keys of crosshair and zoom
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={host}
      role="group"
      aria-label={label}
      aria-roledescription="chart"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
      data-chart
      className="focus-inset w-full overflow-hidden rounded-sm"
      style={{ height }}
    />
  )
}

/** How many points a clip or a logarithmic scale excludes; hidden if none. */
function Outside({ points, view }: { points: number; view: View }) {
  if (points === 0 || (view.clip === null && !view.log)) return null
  const why = view.log ? 'zero or negative, or beyond the clip limit' : 'beyond the clip limit'
  return (
    <span className="shrink-0 text-xs text-second" title={`${plural(points, 'point')} outside the chart: ${why}`}>
      {plural(points, 'point')} outside
    </span>
  )
}

function ExportMenu({ title, unit, file, lines, plot }: ChartProps & { plot: Plot | null }) {
  const picture = (kind: 'png' | 'svg') => {
    if (!plot?.drawn.span) return
    const { picture: shown, bounds, span } = plot.drawn
    const text = svgOf(title, unit, { ...shown, span }, bounds, inkOf, (line) => plot.averageOf(line, shown.view))
    if (kind === 'svg') save(`${file}.svg`, new Blob([text], { type: 'image/svg+xml' }))
    else
      void pngOf(text).then((blob) =>
        blob === null ? toast.error('The browser could not create the PNG', 'Save it as SVG or CSV instead.') : save(`${file}.png`, blob),
      )
  }
  return (
    <Menu align="end" trigger={<IconButton size="small" label={`Save ${title}`} icon={Download} />}>
      <MenuItem disabled={!plot} onSelect={() => picture('png')}>
        Image (PNG)
      </MenuItem>
      <MenuItem disabled={!plot} onSelect={() => picture('svg')}>
        Vector image (SVG)
      </MenuItem>
      <MenuItem onSelect={() => save(`${file}.csv`, new Blob([csvOf(lines)], { type: 'text/csv' }))}>Data (CSV)</MenuItem>
    </Menu>
  )
}
