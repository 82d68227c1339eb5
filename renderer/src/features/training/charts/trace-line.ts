import type { Axis, Series } from './series.ts'
import type { Span } from './view.ts'

/** Where a line goes: a canvas, a Path2D or the text of an SVG path. */
export interface Pen {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
}

export interface Frame {
  /** Pixels of the drawing area, from its left and top. */
  left: number
  top: number
  width: number
  height: number
  span: Span
  lo: number
  hi: number
  log: boolean
}

/** Pixel of a value from the top; NaN where it cannot be drawn. Outside values stand outside the frame. */
export function yOf(frame: Frame, value: number): number {
  const { top, height, lo, hi, log } = frame
  const share = log ? (Math.log(value) - Math.log(lo)) / (Math.log(hi) - Math.log(lo)) : (value - lo) / (hi - lo)
  return value <= 0 && log ? Number.NaN : top + height * (1 - share)
}

export const xOf = ({ left, width, span }: Frame, value: number): number => left + ((value - span[0]) / (span[1] - span[0])) * width

/** More points than this a pixel are drawn as their extremes. */
const DENSE = 2

/**
 * Draws what the frame shows of a series. Few points become the line through them; many become, for each pixel, the
 * line from the least to the greatest of its points, so that no extreme is ever lost. A gap ends the line. True: of many.
 */
export function traceLine(pen: Pen, series: Series, axis: Axis, frame: Frame): boolean {
  // one point more at either side: the line goes on to the edge
  const from = Math.max(0, series.indexOf(axis, frame.span[0]) - 1)
  const to = Math.min(series.size, series.indexOf(axis, frame.span[1]) + 1)
  const isDense = to - from > frame.width * DENSE
  if (isDense) dense(pen, series, axis, frame, from, to)
  else sparse(pen, series, axis, frame, from, to)
  return isDense
}

function sparse(pen: Pen, series: Series, axis: Axis, frame: Frame, from: number, to: number): void {
  const places = series.x(axis)
  let drawing = false
  for (let at = from; at < to; at += 1) {
    const x = xOf(frame, places[at]!)
    const y = yOf(frame, series.last[at]!)
    if (Number.isNaN(y)) {
      drawing = false
      continue
    }
    const lo = yOf(frame, series.lo[at]!)
    const hi = yOf(frame, series.hi[at]!)
    if (drawing) pen.lineTo(x, lo === hi || Number.isNaN(lo) ? y : lo)
    else pen.moveTo(x, lo === hi || Number.isNaN(lo) ? y : lo)
    if (lo !== hi && !Number.isNaN(lo)) {
      pen.lineTo(x, hi)
      pen.lineTo(x, y)
    }
    drawing = true
  }
}

const both = { lo: 0, hi: 0 }

function dense(pen: Pen, series: Series, axis: Axis, frame: Frame, from: number, to: number): void {
  const { gaps } = series
  const perPixel = (frame.span[1] - frame.span[0]) / frame.width
  let gap = firstAtOrBehind(gaps, from)
  let drawing = false
  let at = from
  let up = true
  for (let pixel = 0; pixel <= frame.width && at < to; pixel += 1) {
    const end = pixel === Math.floor(frame.width) ? to : Math.min(to, series.indexOf(axis, frame.span[0] + (pixel + 1) * perPixel, at))
    if (end === at) continue
    series.extremes(at, end, both)
    let broken = false
    for (; gap < gaps.length && gaps[gap]! < end; gap += 1) broken = true
    at = end
    const low = yOf(frame, both.lo)
    const high = yOf(frame, both.hi)
    if (both.lo > both.hi || Number.isNaN(high)) {
      drawing = false
      continue
    }
    const x = frame.left + pixel
    const bottom = Number.isNaN(low) ? frame.top + frame.height : low
    // up and down in turn: the way from one pixel to the next stays short
    if (drawing && !broken) pen.lineTo(x, up ? bottom : high)
    else pen.moveTo(x, up ? bottom : high)
    if (bottom !== high) pen.lineTo(x, up ? high : bottom)
    up = !up
    drawing = true
  }
}

function firstAtOrBehind(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
