import { inkOf } from './ink.ts'
import type { Series } from './series.ts'
import { type Band, traceBand, traceLine, xOf, yOf, type Frame } from './trace-line.ts'

export interface Marker {
  step: number
  label: string
  best: boolean
}

/** A line to draw: the points, or their average. */
export interface Curve {
  series: Series
  color: string
  dash: number[]
  width: number
  isFaint: boolean
}

export function stroke(ctx: CanvasRenderingContext2D, { series, color, dash, width }: Curve, axis: string, frame: Frame): void {
  ctx.beginPath()
  traceLine(ctx, series, axis, frame)
  ctx.strokeStyle = color
  ctx.lineWidth = width
  ctx.setLineDash(dash)
  ctx.stroke()
}

const DOT_PX = 3

export function drawDots(ctx: CanvasRenderingContext2D, series: Series, axis: string, frame: Frame, ratio: number): void {
  const to = Math.min(series.size, series.indexOf(axis, frame.span[1]) + 1)
  const from = series.indexOf(axis, frame.span[0])
  if (to - from > frame.width / (4 * ratio)) return // they would overlap; the line is enough
  for (let at = from; at < to; at += 1) {
    const y = yOf(frame, series.last[at]!)
    if (Number.isNaN(y) || y < frame.top || y > frame.top + frame.height) continue
    ctx.beginPath()
    ctx.arc(xOf(frame, series.x(axis)[at]!), y, DOT_PX * ratio, 0, 2 * Math.PI)
    ctx.fill()
  }
}

export function drawBand(ctx: CanvasRenderingContext2D, series: Series, band: Band, axis: string, frame: Frame): void {
  if (band.size !== series.size) return
  const from = Math.max(0, series.indexOf(axis, frame.span[0]) - 1)
  const to = Math.min(series.size, series.indexOf(axis, frame.span[1]) + 1)
  ctx.globalAlpha = 0.14
  ctx.beginPath()
  traceBand(ctx, { series, band }, axis, frame, [from, to])
  ctx.fill()
  ctx.globalAlpha = 1
}

/** Lines at checkpoints; the best has a diamond. */
export function drawMarkers(
  ctx: CanvasRenderingContext2D,
  markers: readonly Marker[],
  along: Series | undefined,
  axis: string,
  frame: Frame,
  ratio: number,
): void {
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
    // best: a diamond, others: a small triangle, so that colour is not the only difference
    const size = (best ? 5 : 4) * ratio
    ctx.moveTo(x - size, frame.top + (best ? size : 0))
    ctx.lineTo(x, best ? frame.top : frame.top + size)
    ctx.lineTo(x + size, frame.top + (best ? size : 0))
    if (best) ctx.lineTo(x, frame.top + 2 * size)
    ctx.fill()
  }
}
