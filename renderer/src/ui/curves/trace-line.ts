import type { Series } from './series.ts'
import type { Span } from './view.ts'

/** Receives a line: a canvas, a Path2D or the text of an SVG path. */
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

/** Pixel of a value from the top; NaN if it cannot be drawn. Values outside the bounds are outside the frame. */
export function yOf(frame: Frame, value: number): number {
  const { top, height, lo, hi, log } = frame
  const share = log ? (Math.log(value) - Math.log(lo)) / (Math.log(hi) - Math.log(lo)) : (value - lo) / (hi - lo)
  return value <= 0 && log ? Number.NaN : top + height * (1 - share)
}

export const xOf = ({ left, width, span }: Frame, value: number): number => left + ((value - span[0]) / (span[1] - span[0])) * width

/** More points per pixel than this are drawn as their extremes. */
const DENSE = 2

/**
 * Draws the part of a series that the frame shows: a line through few points, or for many points one vertical line per
 * pixel from the lowest to the highest point, so that no extreme is lost. A gap ends the line.
 */
export function traceLine(pen: Pen, series: Series, axis: string, frame: Frame): void {
  const { from, to, isDense } = shownOf(series, axis, frame)
  if (isDense) dense(pen, series, axis, frame, from, to)
  else sparse(pen, series, axis, frame, from, to)
}

function sparse(pen: Pen, series: Series, axis: string, frame: Frame, from: number, to: number): void {
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
    const isAlone = !drawing && (at + 1 === to || Number.isNaN(yOf(frame, series.last[at + 1]!)))
    if (isAlone && lo === hi) {
      dash(pen, x, y)
      continue
    }
    if (drawing) pen.lineTo(x, lo === hi || Number.isNaN(lo) ? y : lo)
    else pen.moveTo(x, lo === hi || Number.isNaN(lo) ? y : lo)
    if (lo !== hi && !Number.isNaN(lo)) {
      pen.lineTo(x, hi)
      pen.lineTo(x, y)
    }
    drawing = true
  }
}

/** A band around a line, given by its edges at each point. */
export interface Band {
  readonly size: number
  low: (at: number) => number
  high: (at: number) => number
}

/** A band with the same distance above and below the line. */
export const bandOf = (series: Series, spread: Series): Band => ({
  get size() {
    return spread.size
  },
  low: (at) => series.last[at]! - spread.last[at]!,
  high: (at) => series.last[at]! + spread.last[at]!,
})

/** The outline of the band around a line, from the point `from` to before `to`; a gap ends it. */
export function traceBand(
  pen: Pen,
  { series, band }: { series: Series; band: Band },
  axis: string,
  frame: Frame,
  [from, to]: readonly [number, number],
): void {
  const upper = (at: number) => yOf(frame, band.high(at))
  const lower = (at: number) => {
    const y = yOf(frame, band.low(at))
    return Number.isNaN(y) ? frame.top + frame.height : y // a log scale cannot show values that are not above zero
  }
  const isGap = (at: number) => Number.isNaN(upper(at))
  for (let first = from; first < to; first += 1) {
    if (isGap(first)) continue
    let end = first + 1
    while (end < to && !isGap(end)) end += 1
    pen.moveTo(xOf(frame, series.x(axis)[first]!), upper(first))
    for (let at = first + 1; at < end; at += 1) pen.lineTo(xOf(frame, series.x(axis)[at]!), upper(at))
    for (let at = end - 1; at >= first; at -= 1) pen.lineTo(xOf(frame, series.x(axis)[at]!), lower(at))
    first = end
  }
}

/** Half the length of the dash that is drawn for a point between two gaps. */
const ALONE_PX = 1.5

function dash(pen: Pen, x: number, y: number): void {
  pen.moveTo(x - ALONE_PX, y)
  pen.lineTo(x + ALONE_PX, y)
}

/** A dense line as columns of pixels, `size` of them: extremes in pixels from the top, columns from the left of the frame. */
export class Columns {
  size = 0
  pixel = new Int32Array(2048)
  top = new Float64Array(2048)
  bottom = new Float64Array(2048)
  /** 1 if the line continues from the previous column. */
  joined = new Uint8Array(2048)

  reserve(columns: number): void {
    this.size = 0
    if (columns <= this.pixel.length) return
    this.pixel = new Int32Array(columns)
    this.top = new Float64Array(columns)
    this.bottom = new Float64Array(columns)
    this.joined = new Uint8Array(columns)
  }
}

/** Minimum number of blocks per pixel, so that a block at the border of two pixels is at most half a pixel off. */
const BLOCKS = 2

/** Writes a column for each pixel with points. A gap ends the line. */
export function columnsOf(series: Series, axis: string, frame: Frame, from: number, to: number, out: Columns): void {
  const { gaps } = series
  const { span, width } = frame
  const { size, lo: los, hi: his, x } = series.level((to - from) / width / BLOCKS)
  const places = x[axis]! // a series without this axis is never dense
  const start = span[0]
  const scale = width / (span[1] - start)
  out.reserve(Math.ceil(width) + 2)
  let gap = firstAtOrAfter(gaps, from)
  let pixel = 0
  let lo = Infinity
  let hi = -Infinity
  let joined = 0
  for (let block = Math.floor(from / size); ; block += 1) {
    const at = Math.max(from, block * size)
    let here = -1
    if (at < to) {
      here = Math.trunc((places[block]! - start) * scale)
      if (here < 0) here = 0
      else if (here > width) here = width
    }
    if (here !== pixel) {
      for (; gap < gaps.length && gaps[gap]! < Math.min(at, to); gap += 1) joined = 0
      const top = lo > hi ? Number.NaN : yOf(frame, hi)
      if (Number.isNaN(top)) joined = 0
      else {
        const bottom = yOf(frame, lo)
        out.pixel[out.size] = pixel
        out.top[out.size] = top
        out.bottom[out.size] = Number.isNaN(bottom) ? frame.top + frame.height : bottom
        out.joined[out.size] = joined
        out.size += 1
        joined = 1
      }
      if (here < 0) return
      pixel = here
      lo = Infinity
      hi = -Infinity
    }
    if (los[block]! < lo) lo = los[block]!
    if (his[block]! > hi) hi = his[block]!
  }
}

/** The points of a series that the frame shows, and one more on either side, so that the line reaches the edge. */
export function shownOf(series: Series, axis: string, { span, width }: Frame): { from: number; to: number; isDense: boolean } {
  const from = Math.max(0, series.indexOf(axis, span[0]) - 1)
  const to = Math.min(series.size, series.indexOf(axis, span[1]) + 1)
  return { from, to, isDense: to - from > width * DENSE }
}

const columns = new Columns()

function dense(pen: Pen, series: Series, axis: string, frame: Frame, from: number, to: number): void {
  columnsOf(series, axis, frame, from, to, columns)
  for (let at = 0; at < columns.size; at += 1) {
    const x = frame.left + columns.pixel[at]!
    // alternates between up and down, so that the step to the next pixel is short
    const [first, last] = at % 2 === 0 ? [columns.bottom[at]!, columns.top[at]!] : [columns.top[at]!, columns.bottom[at]!]
    if (first === last && !columns.joined[at] && (at + 1 === columns.size || !columns.joined[at + 1])) {
      dash(pen, x, first)
      continue
    }
    if (columns.joined[at]) pen.lineTo(x, first)
    else pen.moveTo(x, first)
    if (first !== last) pen.lineTo(x, last)
  }
}

function firstAtOrAfter(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
