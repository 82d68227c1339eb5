import type { Axis } from './axis.ts'
import type { Extent } from './view.ts'

/** Padding above and below the curve, as a share. */
const PAD = 0.06
/** Minimum range of the chart, as a share of the shown values. */
const MIN_SPAN = 0.002

/** The values at the bottom and the top of the chart: the padded extremes, never an empty range. */
export function padded({ lo, hi }: Extent, log: boolean): { lo: number; hi: number } {
  if (log) {
    const factor = hi > lo ? (hi / lo) ** PAD : 1.5
    return { lo: lo / factor, hi: hi * factor }
  }
  if (lo === 0 && hi === 0) return { lo: 0, hi: 1 } // a curve of nothing but 0 is mostly a share
  if (lo === hi) {
    const padding = Math.abs(lo) * 0.1
    return { lo: lo - padding, hi: hi + padding }
  }
  // a nearly flat curve is drawn flat, because its ticks would need more digits than fit
  const padding = Math.max((hi - lo) * PAD, (Math.max(Math.abs(lo), Math.abs(hi)) * MIN_SPAN - (hi - lo)) / 2)
  // padding does not go below zero for values that are never negative
  return { lo: lo >= 0 ? Math.max(0, lo - padding) : lo - padding, hi: hi + padding }
}

/** About `count` round numbers between two values. `whole`: integers only. */
export function niceTicks(lo: number, hi: number, count: number, whole = false): number[] {
  const rough = (hi - lo) / Math.max(1, count)
  if (!(rough > 0) || !Number.isFinite(rough)) return []
  const power = 10 ** Math.floor(Math.log10(rough))
  let step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? power * 10
  if (whole) step = Math.max(1, Math.round(step))
  const first = Math.ceil(lo / step - 1e-9)
  const last = Math.floor(hi / step + 1e-9)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** Decades if the range has some, otherwise round values as on a linear scale. */
export function logTicks(lo: number, hi: number, count: number): number[] {
  const [from, to] = [Math.ceil(Math.log10(lo)), Math.floor(Math.log10(hi))]
  if (to - from < 1) return niceTicks(lo, hi, count).filter((value) => value > 0)
  const every = Math.max(1, Math.ceil((to - from + 1) / Math.max(1, count)))
  const decades = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((power) => power % every === 0)
  const parts = every === 1 && to - from < 3 ? [1, 2, 5] : [1]
  return decades.flatMap((power) => parts.map((part) => part * 10 ** power)).filter((value) => value >= lo && value <= hi)
}

const TIME_STEPS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 14_400, 43_200, 86_400]

/** Ticks of the x axis: integers for counts, round values for times. */
export function axisTicks(kind: Axis['kind'], lo: number, hi: number, count: number): number[] {
  if (kind !== 'time') return niceTicks(lo, hi, count, kind === 'whole')
  const step = TIME_STEPS.find((one) => (hi - lo) / one <= count) ?? 86_400 * Math.ceil((hi - lo) / 86_400 / Math.max(1, count))
  const first = Math.ceil(lo / step)
  return Array.from({ length: Math.max(0, Math.floor(hi / step) - first + 1) }, (_, index) => (first + index) * step)
}
