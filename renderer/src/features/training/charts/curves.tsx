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

/** A run to draw: its curves, name and colour. */
export interface DrawnRun extends Look {
  source: CurveSource
  name: string
  strategy: TrainStrategy
  /** Metrics that cannot be drawn beside those of the other runs. */
  leftOut?: ReadonlySet<string>
}

/** Charts of one run, or of several runs overlaid, all with the same axis, zoom and smoothing. */
export function Curves({
  runs,
  view,
  onView,
  markers,
  live,
  warningOf,
  only,
  children,
}: {
  /** Must stay the same list between renders. */
  runs: readonly DrawnRun[]
  view: View
  onView: (part: Partial<View>) => void
  markers: readonly Marker[]
  /** Whether more points can arrive, so that pausing makes sense. */
  live: boolean
  /** The warning under a chart; `panelIds`: the charts on screen. */
  warningOf?: (panel: string, panelIds: readonly string[]) => string | null
  /** Id of the only chart to draw; absent: all. */
  only?: string | undefined
  /** Further charts, such as those of the machine. */
  children?: React.ReactNode
}) {
  const sources = useMemo(() => runs.map(({ source }) => source), [runs])
  const version = useWords(sources)
  const [paused, setPaused] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
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
    const strategies = new Set(runs.map(({ strategy }) => strategy))
    const all = panelsOf(names, strategies.size === 1 ? [...strategies][0]! : null)
    const { main, more } = only === undefined ? all : { main: [...all.main, ...all.more].filter(({ id }) => id === only), more: [] }
    const fill = (panel: Panel) => ({ panel, lines: linesOf(panel, runs) })
    return { main: main.map(fill), more: more.map(fill) }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version changes when a source grows
  }, [sources, runs, version, only])
  const pause = () => {
    sources.forEach((source) => source.pause(!paused))
    setPaused(!paused)
  }
  const panelIds = panels.main.map(({ panel }) => panel.id)
  const draw = ({ panel, lines }: { panel: Panel; lines: ReturnType<typeof linesOf> }) => (
    <Chart
      key={panel.id}
      title={panel.title}
      unit={panel.unit}
      file={`${runs
        .map(({ name }) => name)
        .join('-')
        .slice(0, 80)}-${panel.id}`}
      lines={lines}
      view={view}
      spanOf={spanNow}
      markers={MARKED.has(panel.id) ? markers : NO_MARKERS}
      warning={warningOf?.(panel.id, panelIds) ?? null}
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
        {showsAll ? panels.more.map(draw) : null}
        {children}
      </div>
      {panels.more.length > 0 ? (
        <div>
          <Button size="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show main curves only' : `Show ${panels.more.length} more from the trainer`}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** Charts with checkpoint markers, because they help to choose a checkpoint. */
const MARKED: ReadonlySet<string> = new Set(['loss', 'reward', 'next-calls'])
const NO_MARKERS: readonly Marker[] = []
const KEYS = { smoothing: keyOf('smoothing'), logScale: keyOf('logScale') }

/** The band around a line: one standard deviation to either side, or the confidence interval of a share. */
function bandFor(
  { spread, count }: Panel['metrics'][number],
  series: Series,
  { series: all }: Pick<RunCurves, 'series'>,
): Band | undefined {
  const spreadOrCount = all.get(spread ?? count ?? '')
  if (!spreadOrCount) return undefined
  if (spread !== undefined) return bandOf(series, spreadOrCount)
  const edge = (at: number) => wilson(Math.round(series.last[at]! * spreadOrCount.last[at]!), spreadOrCount.last[at]!)
  return {
    get size() {
      return spreadOrCount.size
    },
    low: (at) => edge(at)?.low ?? Number.NaN,
    high: (at) => edge(at)?.high ?? Number.NaN,
  }
}

/** One run: a colour for each metric, starting with the run's. Several runs: a colour for each run, a dash pattern for each metric. */
function linesOf(panel: Panel, runs: readonly DrawnRun[]): (Line & { count: number; broken: readonly number[] })[] {
  return runs.flatMap(({ source, name, ink, dash, leftOut }) => {
    const curves = source.shown
    const whole = source.whole
    if (!curves || !whole) return []
    const trainingCount = panel.metrics.filter(({ look }) => look !== 'dots').length
    const lineCount = trainingCount || panel.metrics.length // if all metrics are evaluations, each has its own colour
    return panel.metrics.flatMap((metric, index) => {
      // an evaluation has the colour of the training metric it belongs to
      const colourIndex = lineCount > 1 ? index % lineCount : index
      const series = curves.series.get(metric.name)
      if (!series || series.size === 0 || leftOut?.has(metric.name)) return []
      const isSingle = runs.length === 1
      return [
        {
          id: `${source.runId} ${metric.name}`,
          label: isSingle ? metric.label : lineCount > 1 ? `${name}: ${metric.label}` : name,
          beside: !isSingle && trainingCount > 0 && metric.look === 'dots' ? 'evaluation' : undefined,
          ink: isSingle ? inkAfter(ink, colourIndex) : ink,
          dash: isSingle ? (colourIndex < index ? seriesDash(1) : []) : index > 0 ? seriesDash(index) : dash,
          series,
          look: metric.look,
          band: isSingle ? bandFor(metric, series, curves) : undefined,
          count: curves.counts.get(metric.name) ?? series.size,
          broken: whole.notFinite.get(metric.name) ?? [],
        },
      ]
    })
  })
}
