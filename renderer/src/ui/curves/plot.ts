import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { STEP } from './axis.ts'
import { inkOf, onInkChange, type Ink } from './ink.ts'
import { axisTicks, logTicks, niceTicks, padded } from './scale.ts'
import type { Series } from './series.ts'
import { Smoothed } from './smooth.ts'
import { formatPlace, formatTicks } from './ticks.ts'
import { ColumnLayer } from './column-layer.ts'
import { type Band, shownOf, traceBand, traceLine, xOf, yOf, type Frame } from './trace-line.ts'
import { extentOf, type Span, type View } from './view.ts'

export interface Line {
  id: string
  label: string
  ink: Ink
  dash: number[]
  series: Series
  /** `dots`: each point is marked. `smooth`: drawn faint, with its average above it. */
  look: 'line' | 'dots' | 'smooth'
  /** What may lie around it: a standard deviation, an interval. */
  band?: Band | undefined
  /** What its dots are, where another line of the same colour names it in the legend. */
  beside?: string | undefined
}
export interface Marker {
  step: number
  label: string
  best: boolean
}
export interface Picture {
  lines: readonly Line[]
  view: View
  /** Asked at each drawing: the end of a live curve moves. */
  spanOf: () => Span | null
  markers: readonly Marker[]
}
export interface PlotEvents {
  onZoom: (span: Span) => void
  onReset: () => void
  /** Where the crosshair stands on the axis; null: nowhere. */
  onCursor: (place: number | null) => void
  /** How many points a clip or a logarithmic scale leaves out of the picture, whenever that changes. */
  onOutside: (points: number) => void
}
/** `sync`: charts with the same word share the crosshair. */
export interface PlotShape {
  width: number
  height: number
  sync: string
}

const FONT = '12px ui-monospace, "DejaVu Sans Mono", monospace'
const AXIS_X_PX = 24
const AXIS_Y_PX = 58
const TICK_X_PX = 64
const TICK_Y_PX = 34
const FAINT = 0.32
/** Of more lines than this only the averages are drawn: what they are made of would hide them. */
const CROWD = 12

/**
 * Curves on a canvas. uPlot keeps the axes, the crosshair and the dragged selection; the lines are drawn from the typed
 * arrays themselves, at the resolution of the screen, so the cost of a redraw hangs on pixels and not on points.
 */
export class Plot {
  readonly #plot: uPlot
  readonly #averages = new Map<string, Smoothed>()
  readonly #faint = new ColumnLayer()
  readonly #strong = new ColumnLayer()
  #picture: Picture = {
    lines: [],
    view: { axis: STEP, log: false, smoothing: 0, clip: null, range: null, window: null },
    spanOf: () => null,
    markers: [],
  }
  #span: Span | null = null
  #bounds: { lo: number; hi: number } = { lo: 0, hi: 1 }
  #asked = 0
  #stop: () => void
  #outside = 0
  readonly #events: PlotEvents

  constructor(host: HTMLElement, { sync, ...size }: PlotShape, events: PlotEvents) {
    this.#events = events
    const axis = { font: FONT, stroke: () => inkOf('second'), ticks: { show: false }, grid: { stroke: () => inkOf('line'), width: 1 } }
    this.#plot = new uPlot(
      {
        ...size,
        padding: [8, 20, 0, 0],
        legend: { show: false },
        scales: { x: { time: false, range: () => this.#spanNow() }, y: { range: () => this.#rangeNow() } },
        axes: [
          {
            ...axis,
            size: AXIS_X_PX,
            border: { show: true, stroke: () => inkOf('edge'), width: 1 },
            splits: (u, _, from, to) => axisTicks(this.#picture.view.axis.kind, from, to, u.over.clientWidth / TICK_X_PX),
            values: (_, places) => places.map((place) => formatPlace(this.#picture.view.axis, place)),
          },
          {
            ...axis,
            size: AXIS_Y_PX,
            // on a log scale the axis counts in powers of ten, its words say the values
            splits: (u) => this.#ticks(u.over.clientHeight).map((value) => (this.#log ? Math.log10(value) : value)),
            values: (_, places) => formatTicks(places.map((place) => (this.#log ? 10 ** place : place))),
          },
        ],
        series: [{}, { show: true, points: { show: false }, paths: () => null }],
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false },
          sync: { key: sync, setSeries: false, scales: ['x', null] },
          bind: {
            dblclick: () => () => {
              events.onReset()
              return null
            },
          },
        },
        hooks: {
          draw: [() => this.#draw()],
          setCursor: [(u) => events.onCursor((u.cursor.left ?? -1) < 0 ? null : u.posToVal(u.cursor.left ?? 0, 'x'))],
          setSelect: [
            (u) => {
              if (u.select.width < 4) return
              events.onZoom([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')])
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            },
          ],
        },
      },
      [
        [0, 1],
        [null, null],
      ],
      host,
    )
    this.#stop = onInkChange(() => this.redraw())
  }

  /** Shows this from the next frame on. */
  show(picture: Picture): void {
    this.#picture = picture
    this.redraw()
  }

  resize(size: { width: number; height: number }): void {
    this.#plot.setSize(size)
  }

  /** What was shown has grown, or looks different: drawn anew with the next frame, once however often it is asked. */
  redraw(): void {
    if (this.#asked !== 0) return
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0
      this.drawNow()
    })
  }

  drawNow(): void {
    const { lines, view, spanOf } = this.#picture
    const span = spanOf()
    this.#span = span
    const extent = span
      ? extentOf(
          lines.map(({ series }) => series),
          view,
          span,
        )
      : null
    const outside = extent?.outside ?? 0
    if (outside !== this.#outside) this.#events.onOutside(outside)
    this.#outside = outside
    this.#bounds = extent ? this.#withBands(padded(extent, view.log)) : { lo: view.log ? 0.1 : 0, hi: 1 }
    // at once and not with the next microtask: the frame that asked for it shows it
    this.#plot.batch(() => this.#plot.setData(this.#plot.data, true))
  }

  get canvas(): HTMLCanvasElement {
    return this.#plot.ctx.canvas
  }

  /** The picture as it is drawn, for an export of it. */
  get drawn(): { picture: Picture; span: Span | null; bounds: { lo: number; hi: number } } {
    return { picture: this.#picture, span: this.#span, bounds: this.#bounds }
  }

  /** Moves the crosshair by a share of the width, for those who do not point. */
  moveCursor(share: number): void {
    const width = this.#plot.over.clientWidth
    const left = this.#plot.cursor.left ?? -1
    const next = left < 0 ? (share > 0 ? 0 : width) : Math.max(0, Math.min(width, left + share * width))
    this.#plot.setCursor({ left: next, top: 8 })
  }

  averageOf(line: Line, { smoothing }: View): Series | null {
    if (line.look !== 'smooth' || smoothing === 0) return null
    let average = this.#averages.get(line.id)
    if (!average) this.#averages.set(line.id, (average = new Smoothed()))
    return average.of(line.series, smoothing)
  }

  destroy(): void {
    cancelAnimationFrame(this.#asked)
    this.#stop()
    this.#plot.destroy()
  }

  get #log(): boolean {
    return this.#picture.view.log
  }

  #spanNow(): [number, number] {
    const span = this.#span
    return span ? [span[0], span[1]] : [0, 1]
  }

  #rangeNow(): [number, number] {
    const { lo, hi } = this.#bounds
    return this.#log ? [Math.log10(lo), Math.log10(hi)] : [lo, hi]
  }

  #ticks(height: number): number[] {
    const { lo, hi } = this.#bounds
    return (this.#log ? logTicks : niceTicks)(lo, hi, height / TICK_Y_PX)
  }

  /** Room for the bands around the lines; a band is left as it is where a clip or a log scale rules the picture. */
  #withBands(bounds: { lo: number; hi: number }): { lo: number; hi: number } {
    const { lines, view } = this.#picture
    const span = this.#span
    if (view.log || view.clip !== null || !span) return bounds
    let { lo, hi } = bounds
    for (const { series, band } of lines) {
      if (!band || band.size !== series.size) continue
      const to = Math.min(series.size, series.indexOf(view.axis.id, span[1]) + 1)
      for (let at = series.indexOf(view.axis.id, span[0]); at < to; at += 1) {
        if (Number.isNaN(band.high(at))) continue
        lo = Math.min(lo, band.low(at))
        hi = Math.max(hi, band.high(at))
      }
    }
    return { lo, hi }
  }

  #draw(): void {
    const { lines, view, markers } = this.#picture
    const span = this.#span
    if (!span) return
    const { ctx, bbox } = this.#plot
    const ratio = uPlot.pxRatio
    const axis = view.axis.id
    const frame: Frame = { ...bbox, span, ...this.#bounds, log: view.log }
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    ctx.lineJoin = 'round'
    this.#drawMarkers(markers, lines[0]?.series, frame, ratio)
    const isCrowded = lines.length > CROWD
    const curves = lines.flatMap((line): Curve[] => {
      const average = this.averageOf(line, view)
      const look = { color: inkOf(line.ink), dash: line.dash.map((part) => part * ratio) }
      const raw = { ...look, series: line.series, isFaint: average !== null, width: (average ? 1 : 1.5) * ratio }
      const smooth = average ? [{ ...look, series: average, isFaint: false, width: 1.75 * ratio }] : []
      return average && isCrowded ? smooth : [raw, ...smooth]
    })
    for (const { series, band, ink } of lines) {
      if (!band) continue
      ctx.fillStyle = inkOf(ink)
      drawBand(ctx, series, band, axis, frame)
    }
    const parts = curves.map((curve) => ({ ...curve, shown: shownOf(curve.series, axis, frame) }))
    this.#faint.clear(frame)
    this.#strong.clear(frame)
    // a line that goes up and down at every pixel has no dashes: they could not be seen
    for (const { series, shown, isFaint, color, width } of parts)
      if (shown.isDense) (isFaint ? this.#faint : this.#strong).add(series, axis, frame, shown, color, isFaint ? 1 : width)
    for (const isFaint of [true, false]) {
      ctx.globalAlpha = isFaint ? FAINT : 1
      const layer = isFaint ? this.#faint : this.#strong
      layer.paint(ctx, frame)
      for (const curve of parts) if (curve.isFaint === isFaint && !curve.shown.isDense) stroke(ctx, curve, axis, frame)
    }
    ctx.restore()
    // a dot at the edge is whole, so it is not clipped like the lines
    for (const line of lines) {
      if (line.look !== 'dots' && line.series.size > 1) continue
      ctx.fillStyle = inkOf(line.ink)
      drawDots(ctx, line.series, axis, frame, ratio)
    }
  }

  #drawMarkers(markers: readonly Marker[], along: Series | undefined, frame: Frame, ratio: number): void {
    const { ctx } = this.#plot
    const axis = this.#picture.view.axis.id
    for (const { step, best } of markers) {
      const at = axis === 'step' ? null : along?.nearest('step', step)
      const place = axis === 'step' ? step : at === null || at === undefined ? null : along!.x(axis)[at]!
      if (place === null) continue
      const x = Math.round(xOf(frame, place)) + 0.5
      ctx.strokeStyle = inkOf(best ? 'accent' : 'edge')
      ctx.lineWidth = ratio
      ctx.setLineDash(best ? [] : [2 * ratio, 3 * ratio])
      ctx.beginPath()
      ctx.moveTo(x, frame.top)
      ctx.lineTo(x, frame.top + frame.height)
      ctx.stroke()
      ctx.fillStyle = ctx.strokeStyle
      ctx.beginPath()
      // best: a diamond, others: a small triangle, so that colour never stands alone
      const size = (best ? 5 : 4) * ratio
      ctx.moveTo(x - size, frame.top + (best ? size : 0))
      ctx.lineTo(x, best ? frame.top : frame.top + size)
      ctx.lineTo(x + size, frame.top + (best ? size : 0))
      if (best) ctx.lineTo(x, frame.top + 2 * size)
      ctx.fill()
    }
  }
}

/** A line of the picture: the points, or their average. */
interface Curve {
  series: Series
  color: string
  dash: number[]
  width: number
  isFaint: boolean
}

function stroke(ctx: CanvasRenderingContext2D, { series, color, dash, width }: Curve, axis: string, frame: Frame): void {
  ctx.beginPath()
  traceLine(ctx, series, axis, frame)
  ctx.strokeStyle = color
  ctx.lineWidth = width
  ctx.setLineDash(dash)
  ctx.stroke()
}

const DOT_PX = 3

function drawDots(ctx: CanvasRenderingContext2D, series: Series, axis: string, frame: Frame, ratio: number): void {
  const to = Math.min(series.size, series.indexOf(axis, frame.span[1]) + 1)
  const from = series.indexOf(axis, frame.span[0])
  if (to - from > frame.width / (4 * ratio)) return // they would run into one another: the line says it
  for (let at = from; at < to; at += 1) {
    const y = yOf(frame, series.last[at]!)
    if (Number.isNaN(y) || y < frame.top || y > frame.top + frame.height) continue
    ctx.beginPath()
    ctx.arc(xOf(frame, series.x(axis)[at]!), y, DOT_PX * ratio, 0, 2 * Math.PI)
    ctx.fill()
  }
}

function drawBand(ctx: CanvasRenderingContext2D, series: Series, band: Band, axis: string, frame: Frame): void {
  if (band.size !== series.size) return
  const from = Math.max(0, series.indexOf(axis, frame.span[0]) - 1)
  const to = Math.min(series.size, series.indexOf(axis, frame.span[1]) + 1)
  ctx.globalAlpha = 0.14
  ctx.beginPath()
  traceBand(ctx, { series, band }, axis, frame, [from, to])
  ctx.fill()
  ctx.globalAlpha = 1
}
