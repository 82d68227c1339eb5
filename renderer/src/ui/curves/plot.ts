import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { STEP } from './axis.ts'
import { inkOf, onInkChange, type Ink } from './ink.ts'
import { axisTicks, logTicks, niceTicks, padded } from './scale.ts'
import type { Series } from './series.ts'
import { Smoothed } from './smooth.ts'
import { formatPlace, formatTicks } from './ticks.ts'
import { ColumnLayer } from './column-layer.ts'
import { type Curve, drawBand, drawDots, drawMarkers, type Marker, stroke } from './strokes.ts'
import { type Band, shownOf, type Frame } from './trace-line.ts'
import { extentOf, type Span, type View } from './view.ts'

export interface Line {
  id: string
  label: string
  ink: Ink
  dash: number[]
  series: Series
  /** `dots`: each point is marked. `smooth`: drawn faint, with its average above it. */
  look: 'line' | 'dots' | 'smooth'
  /** A band around it: a standard deviation, an interval. */
  band?: Band | undefined
  /** The meaning of its dots, if another line of the same colour is in the legend. */
  beside?: string | undefined
}
export interface Picture {
  lines: readonly Line[]
  view: View
  /** Called at each redraw, because the end of a live curve moves. */
  spanOf: () => Span | null
  markers: readonly Marker[]
}
export interface PlotEvents {
  onZoom: (span: Span) => void
  onReset: () => void
  /** Place of the crosshair on the axis; null: none. */
  onCursor: (place: number | null) => void
  /** How many points a clip or a logarithmic scale excludes, whenever that changes. */
  onOutside: (points: number) => void
}
/** `sync`: charts with the same key share the crosshair. */
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
/** With more lines only the averages are drawn; the raw curves would hide them. */
const MAX_RAW_CURVES = 12

/**
 * Curves on a canvas. uPlot draws the axes, the crosshair and the dragged selection; the lines are drawn from the typed
 * arrays, at the resolution of the screen, so the cost of a redraw depends on pixels and not on points.
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
  #pendingFrame = 0
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
            // on a log scale uPlot's axis has exponents; the labels show the values
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

  show(picture: Picture): void {
    this.#picture = picture
    this.redraw()
  }

  resize(size: { width: number; height: number }): void {
    this.#plot.setSize(size)
  }

  /** Redraws in the next frame, once however often it is called. */
  redraw(): void {
    if (this.#pendingFrame !== 0) return
    this.#pendingFrame = requestAnimationFrame(() => {
      this.#pendingFrame = 0
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
    // batch() draws now and not in the next microtask, so that this frame shows it
    this.#plot.batch(() => this.#plot.setData(this.#plot.data, true))
  }

  get canvas(): HTMLCanvasElement {
    return this.#plot.ctx.canvas
  }

  /** The picture as drawn, for exports. */
  get drawn(): { picture: Picture; span: Span | null; bounds: { lo: number; hi: number } } {
    return { picture: this.#picture, span: this.#span, bounds: this.#bounds }
  }

  /** Moves the crosshair by a share of the width, for the keyboard. */
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
    cancelAnimationFrame(this.#pendingFrame)
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

  /** Extends the bounds to the bands, except with a clip or a log scale. */
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
    drawMarkers(ctx, markers, lines[0]?.series, axis, frame, ratio)
    const isCrowded = lines.length > MAX_RAW_CURVES
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
    // dashes would not be visible on a line that moves at every pixel
    for (const { series, shown, isFaint, color, width } of parts)
      if (shown.isDense) (isFaint ? this.#faint : this.#strong).add(series, axis, frame, shown, color, isFaint ? 1 : width)
    for (const isFaint of [true, false]) {
      ctx.globalAlpha = isFaint ? FAINT : 1
      const layer = isFaint ? this.#faint : this.#strong
      layer.paint(ctx, frame)
      for (const curve of parts) if (curve.isFaint === isFaint && !curve.shown.isDense) stroke(ctx, curve, axis, frame)
    }
    ctx.restore()
    // dots at the edge are not clipped
    for (const line of lines) {
      if (line.look !== 'dots' && line.series.size > 1) continue
      ctx.fillStyle = inkOf(line.ink)
      drawDots(ctx, line.series, axis, frame, ratio)
    }
  }
}
