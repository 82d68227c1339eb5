import type { MetricSeries } from '#contracts/entities/run.ts'
import { ABSENT, type BlockStore } from './blocks.ts'

const FIELDS = 5

interface Range {
  names: readonly string[]
  /** Steps, inclusive. */
  from?: number | undefined
  to?: number | undefined
  /** Most buckets of a series. */
  points: number
}

/** Curves of a run over a range of steps: least, greatest and last value of each bucket. */
export function seriesOf(store: BlockStore, run: { no: number; id: string; seq: number }, range: Range): MetricSeries[] {
  const { fields, count } = store.positions(run.no)
  const first = range.from === undefined ? 0 : lowest(fields, count, range.from)
  const end = range.to === undefined ? count : lowest(fields, count, range.to, true)
  return range.names.map((name) => bucketed(run, name, fields, store.values(run.no, name, count), first, end, range.points))
}

/** Index of the first point whose step is at least (`above`: greater than) this one. */
function lowest(fields: Float64Array, count: number, step: number, above = false): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    const there = fields[middle * FIELDS]!
    if (there < step || (above && there === step)) low = middle + 1
    else high = middle
  }
  return low
}

function bucketed(
  run: { id: string; seq: number },
  name: string,
  fields: Float64Array,
  values: Float64Array,
  first: number,
  end: number,
  points: number,
): MetricSeries {
  let count = 0
  for (let at = first; at < end; at += 1) if (values[at] !== ABSENT) count += 1
  const buckets = Math.min(points, count)
  const series: MetricSeries = { runId: run.id, name, steps: [], epochs: [], tokens: [], seconds: [], min: [], max: [], last: [], count, notFinite: [], seq: run.seq } // prettier-ignore
  let seen = 0
  let bucket = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let at = first; at < end; at += 1) {
    const value = values[at]!
    if (value === ABSENT) continue
    seen += 1
    if (Number.isNaN(value)) series.notFinite.push(fields[at * FIELDS]!)
    else {
      if (value < min) min = value
      if (value > max) max = value
    }
    if (seen < Math.floor(((bucket + 1) * count) / buckets)) continue
    series.steps.push(fields[at * FIELDS]!)
    series.epochs.push(fields[at * FIELDS + 1]!)
    series.tokens.push(fields[at * FIELDS + 2]!)
    series.seconds.push(fields[at * FIELDS + 3]!)
    series.min.push(min === Number.POSITIVE_INFINITY ? null : min)
    series.max.push(max === Number.NEGATIVE_INFINITY ? null : max)
    series.last.push(Number.isNaN(value) ? null : value)
    bucket += 1
    min = Number.POSITIVE_INFINITY
    max = Number.NEGATIVE_INFINITY
  }
  return series
}
