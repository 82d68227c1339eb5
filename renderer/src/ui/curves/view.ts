import type { Axis } from './axis.ts'
import type { Series } from './series.ts'

/** How curves are shown; the same for all curves of a page. */
export interface View {
  axis: Axis
  log: boolean
  /** 0: as measured, nothing smoothed. */
  smoothing: number
  /** Quantile beyond which values are clipped at both ends: 0.95, 0.99, or null for none. */
  clip: number | null
  /** Part of the axis; null: all. */
  range: readonly [number, number] | null
  /** Number of last steps; null: all. A range overrides it. */
  window: number | null
}

export type Span = readonly [number, number]

/** First and last place of the series on an axis; null if none has a point. */
export function spanOf(series: Iterable<Series>, axis: string): Span | null {
  let from = Infinity
  let to = -Infinity
  for (const one of series) {
    if (one.size === 0) continue
    from = Math.min(from, one.x(axis)[0]!)
    to = Math.max(to, one.x(axis)[one.size - 1]!)
  }
  return from > to ? null : from === to ? [from - 0.5, to + 0.5] : [from, to]
}

/** The part of the axis that is shown. */
export function shownSpan(series: readonly Series[], view: View): Span | null {
  const whole = spanOf(series, view.axis.id)
  if (!whole || view.range) return view.range ?? whole
  if (view.window === null) return whole
  const longest = series.reduce<Series | null>((best, one) => (one.size > 0 && one.end > (best?.end ?? -Infinity) ? one : best), null)
  if (!longest) return whole
  const first = Math.min(longest.size - 1, longest.indexOf('step', longest.end - view.window))
  return [Math.min(longest.x(view.axis.id)[first]!, whole[1] - Number.EPSILON), whole[1]]
}

/** Steps that a span of the axis covers in this series, widened to the points around it. Null: all of them. */
export function stepsOf(series: Series, axis: string, span: Span): [number, number] | null {
  if (series.size === 0) return null
  if (axis === 'step') return [Math.floor(span[0]), Math.ceil(span[1])]
  const first = Math.max(0, series.indexOf(axis, span[0]) - 1)
  const last = Math.min(series.size - 1, series.indexOf(axis, span[1]))
  const steps = series.x('step')
  return [steps[first]!, steps[last]!]
}

/** Zooms around the middle, or moves. `factor` 0.5 shows half as much; `shift` 0.25 moves by a quarter of the view. */
export function zoomed(shown: Span, whole: Span, { factor = 1, shift = 0 }: { factor?: number; shift?: number }): Span | null {
  const width = (shown[1] - shown[0]) * factor
  if (width >= whole[1] - whole[0]) return null
  const middle = (shown[0] + shown[1]) / 2 + shift * (shown[1] - shown[0])
  const from = Math.max(whole[0], Math.min(whole[1] - width, middle - width / 2))
  return [from, from + width]
}

/** Limits of a clip are computed from at most this many values; of more, every n-th is used. */
const LIMIT_SAMPLE = 50_000

/** Extremes of the shown points, and how many are outside. Null if nothing can be drawn. */
export interface Extent {
  lo: number
  hi: number
  /** Points of the span outside `lo` … `hi`. */
  outside: number
}

export function extentOf(series: readonly Series[], view: View, span: Span): Extent | null {
  const ranges = series.map((one) => [one, one.indexOf(view.axis.id, span[0]), upTo(one, view.axis.id, span[1])] as const)
  const out = { lo: 0, hi: 0 }
  let lo = Infinity
  let hi = -Infinity
  for (const [one, from, to] of ranges) {
    if (view.log) {
      for (let at = from; at < to; at += 1) {
        if (one.lo[at]! > 0 && one.lo[at]! < lo) lo = one.lo[at]!
        if (one.hi[at]! > hi) hi = one.hi[at]!
      }
    } else {
      one.extremes(from, to, out)
      lo = Math.min(lo, out.lo)
      hi = Math.max(hi, out.hi)
    }
  }
  if (lo > hi) return null
  const limits = view.clip === null ? null : limitsOf(ranges, view.clip, view.log)
  if (limits) [lo, hi] = limits
  return { lo, hi, outside: limits || view.log ? countOutside(ranges, lo, hi) : 0 }
}

type Ranges = readonly (readonly [Series, number, number])[]

/** The first point after a place. */
function upTo(series: Series, axis: string, value: number): number {
  let at = series.indexOf(axis, value)
  while (at < series.size && series.x(axis)[at]! <= value) at += 1
  return at
}

function limitsOf(ranges: Ranges, share: number, log: boolean): [number, number] | null {
  const total = ranges.reduce((sum, [, from, to]) => sum + to - from, 0)
  const stride = Math.max(1, Math.ceil(total / LIMIT_SAMPLE))
  const values: number[] = []
  for (const [one, from, to] of ranges) {
    for (let at = from; at < to; at += stride) {
      const value = one.last[at]!
      if (!Number.isNaN(value) && (!log || value > 0)) values.push(value)
    }
  }
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort() // oxlint-disable-line unicorn/no-array-sort -- a typed array of our own
  const place = (at: number) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(at * (sorted.length - 1))))]!
  return [place(1 - share), place(share)]
}

function countOutside(ranges: Ranges, lo: number, hi: number): number {
  let outside = 0
  for (const [one, from, to] of ranges) {
    for (let at = from; at < to; at += 1) if (one.last[at]! < lo || one.last[at]! > hi) outside += 1
  }
  return outside
}
