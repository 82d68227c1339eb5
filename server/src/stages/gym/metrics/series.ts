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

/** Curves of a run over a range of steps: least, greatest and last finite value of each bucket; null if all of it is a gap. */
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
  let edges = 0
  let before = -1
  for (let at = first; at < end; at += 1) {
    if (values[at] === ABSENT) continue
    count += 1
    if (before >= 0 && Number.isNaN(values[at]) !== Number.isNaN(values[before])) edges += 1
    before = at
  }
  // a gap has buckets of its own, or it would be bridged; not if there are more edges than a picture shows
  const isCut = edges < points / 2
  const buckets = count <= points ? count : isCut ? points - edges : points
  const series: MetricSeries = { runId: run.id, name, steps: [], epochs: [], tokens: [], seconds: [], min: [], max: [], last: [], count, notFinite: [], seq: run.seq } // prettier-ignore
  let seen = 0
  let bucket = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let last = Number.NaN
  const close = (at: number) => {
    series.steps.push(fields[at * FIELDS]!)
    series.epochs.push(fields[at * FIELDS + 1]!)
    series.tokens.push(fields[at * FIELDS + 2]!)
    series.seconds.push(fields[at * FIELDS + 3]!)
    series.min.push(min === Number.POSITIVE_INFINITY ? null : min)
    series.max.push(max === Number.NEGATIVE_INFINITY ? null : max)
    series.last.push(Number.isNaN(last) ? null : last)
    min = Number.POSITIVE_INFINITY
    max = Number.NEGATIVE_INFINITY
    last = Number.NaN
  }
  before = -1
  for (let at = first; at < end; at += 1) {
    const value = values[at]!
    if (value === ABSENT) continue
    if (isCut && before >= 0 && Number.isNaN(value) !== Number.isNaN(values[before])) close(before)
    seen += 1
    if (Number.isNaN(value)) series.notFinite.push(fields[at * FIELDS]!)
    else {
      last = value
      if (value < min) min = value
      if (value > max) max = value
    }
    before = at
    if (seen < Math.floor(((bucket + 1) * count) / buckets)) continue
    bucket += 1
    close(at)
    before = -1
  }
  return series
}
