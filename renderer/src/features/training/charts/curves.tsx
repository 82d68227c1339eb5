import { useCallback, useMemo, useState } from 'react'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { wilson } from '#contracts/wilson.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Button } from '#renderer/ui/button.tsx'
import { AXES } from './axes.ts'
import { Chart } from '#renderer/ui/curves/chart.tsx'
import { inkAfter, seriesDash, type Look } from '#renderer/ui/curves/ink.ts'
import { panelsOf, type Panel } from './panels.ts'
import type { Line } from '#renderer/ui/curves/plot.ts'
import type { Marker } from '#renderer/ui/curves/strokes.ts'
import type { RunCurves } from './run-curves.ts'
import { useWords, type CurveSource } from './source.ts'
import type { Series } from '#renderer/ui/curves/series.ts'
import { type Band, bandOf } from '#renderer/ui/curves/trace-line.ts'
import { ChartToolbar } from '#renderer/ui/curves/toolbar.tsx'
import { useSmoothingSwitch } from '#renderer/ui/curves/use-view.ts'
import { useZoom } from '#renderer/ui/curves/use-zoom.ts'
import type { Span, View } from '#renderer/ui/curves/view.ts'

/** A run among others: its curves, what it is called and its colour. */
export interface Shown extends Look {
  source: CurveSource
  name: string
  strategy: TrainStrategy
}

/** Pictures of one run, or of several above each other, all looked at in the same way. */
export function Curves({
  shown,
  view,
  onView,
  markers,
  live,
  warningOf,
  only,
  children,
}: {
  /** Must stay the same list between renders. */
  shown: readonly Shown[]
  view: View
  onView: (part: Partial<View>) => void
  markers: readonly Marker[]
  /** Whether more points can come, so the chart can be paused. */
  live: boolean
  /** The warning under a chart; `drawn`: ids of all charts. */
  warningOf?: (panel: string, drawn: readonly string[]) => string | null
  /** The one picture to draw, by its id; absent: all. */
  only?: string | undefined
  /** More pictures, of the machine. */
  children?: React.ReactNode
}) {
  const sources = useMemo(() => shown.map(({ source }) => source), [shown])
  const version = useWords(sources)
  const [paused, setPaused] = useState(false)
  const [all, setAll] = useState(false)
  const onGrow = useCallback(
    (drawer: () => void) => {
      const stops = sources.map((source) => source.onGrow(drawer))
      return () => stops.forEach((stop) => stop())
    },
    [sources],
  )
  const { spanNow, onZoom } = useZoom(view, {
    shown: useCallback(() => sources.flatMap((source) => [...(source.shown?.series.values() ?? [])]), [sources]),
    // a finer part covers only the visible range; the whole gives the full span
    whole: useCallback(() => sources.flatMap((source) => [...(source.whole?.series.values() ?? [])]), [sources]),
    onRange: useCallback((range: Span | null) => onView({ range }), [onView]),
  })
  const onRange = useCallback((range: Span | null) => onView(range ? { range } : { range, window: null }), [onView])
  useKeys({ logScale: () => onView({ log: !view.log }), smoothing: useSmoothingSwitch(view, onView) })
  const panels = useMemo(() => {
    const names = [...new Set(sources.flatMap((source) => source.whole?.names ?? []))]
    const strategies = new Set(shown.map(({ strategy }) => strategy))
    const all = panelsOf(names, strategies.size === 1 ? [...strategies][0]! : null)
    const { main, more } = only === undefined ? all : { main: [...all.main, ...all.more].filter(({ id }) => id === only), more: [] }
    const fill = (panel: Panel) => ({ panel, lines: linesOf(panel, shown) })
    return { main: main.map(fill), more: more.map(fill) }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version says that the sources have grown
  }, [sources, shown, version, only])
  const pause = () => {
    sources.forEach((source) => source.pause(!paused))
    setPaused(!paused)
  }
  const drawn = panels.main.map(({ panel }) => panel.id)
  const draw = ({ panel, lines }: { panel: Panel; lines: ReturnType<typeof linesOf> }) => (
    <Chart
      key={panel.id}
      title={panel.title}
      unit={panel.unit}
      file={`${shown
        .map(({ name }) => name)
        .join('-')
        .slice(0, 80)}-${panel.id}`}
      lines={lines}
      view={view}
      spanOf={spanNow}
      markers={MARKED.has(panel.id) ? markers : NO_MARKERS}
      warning={warningOf?.(panel.id, drawn) ?? null}
      onGrow={onGrow}
      onRange={onRange}
      onZoom={onZoom}
    />
  )
  return (
    <div className="flex flex-col gap-3">
      <ChartToolbar axes={AXES} view={view} keys={KEYS} onView={onView} onZoom={onZoom} paused={paused} onPause={live ? pause : null} />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,380px),1fr))] gap-3">
        {panels.main.map(draw)}
        {all ? panels.more.map(draw) : null}
        {children}
      </div>
      {panels.more.length > 0 ? (
        <div>
          <Button size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show main curves only' : `Show ${panels.more.length} more from the trainer`}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** Pictures by which checkpoints are chosen. */
const MARKED: ReadonlySet<string> = new Set(['loss', 'reward', 'next-calls'])
const NO_MARKERS: readonly Marker[] = []
const KEYS = { smoothing: keyOf('smoothing'), logScale: keyOf('logScale') }

/** A standard deviation to either side, or the interval of a share of so many; null points have none. */
function bandFor(
  { spread, count }: Panel['metrics'][number],
  series: Series,
  { series: all }: Pick<RunCurves, 'series'>,
): Band | undefined {
  const other = all.get(spread ?? count ?? '')
  if (!other) return undefined
  if (spread !== undefined) return bandOf(series, other)
  const edge = (at: number) => wilson(Math.round(series.last[at]! * other.last[at]!), other.last[at]!)
  return {
    get size() {
      return other.size
    },
    low: (at) => edge(at)?.low ?? Number.NaN,
    high: (at) => edge(at)?.high ?? Number.NaN,
  }
}

/** One run: its own colour for the first metric, the next ones for the others. Several: a colour for each run, a dash for each metric. */
function linesOf(panel: Panel, shown: readonly Shown[]): (Line & { count: number; broken: readonly number[] })[] {
  return shown.flatMap(({ source, name, ink, dash }) => {
    const curves = source.shown
    const whole = source.whole
    if (!curves || !whole) return []
    const trained = panel.metrics.filter(({ look }) => look !== 'dots').length
    const own = trained || panel.metrics.length // only evaluations: each is its own line
    return panel.metrics.flatMap((metric, index) => {
      // what an evaluation measured of one of several has the colour of that one
      const place = own > 1 ? index % own : index
      const series = curves.series.get(metric.name)
      if (!series || series.size === 0) return []
      const alone = shown.length === 1
      return [
        {
          id: `${source.runId} ${metric.name}`,
          label: alone ? metric.label : own > 1 ? `${name}: ${metric.label}` : name,
          beside: !alone && trained > 0 && metric.look === 'dots' ? 'evaluation' : undefined,
          ink: alone ? inkAfter(ink, place) : ink,
          dash: alone ? (place < index ? seriesDash(1) : []) : index > 0 ? seriesDash(index) : dash,
          series,
          look: metric.look,
          band: alone ? bandFor(metric, series, curves) : undefined,
          count: curves.counts.get(metric.name) ?? series.size,
          broken: whole.notFinite.get(metric.name) ?? [],
        },
      ]
    })
  })
}
