import type { MetricSeries } from '#contracts/entities/run.ts'
import { ABSENT, type BlockStore, FIELDS } from './blocks.ts'

interface Range {
  names: readonly string[]
  /** Steps, inclusive. */
  from?: number | undefined
  to?: number | undefined
  /** Maximum number of buckets of a series. */
  points: number
}

/** Curves of a run over a range of steps: minimum, maximum and last finite value of each bucket; null if no value is finite. */
export function seriesOf(store: BlockStore, run: { no: number; id: string; seq: number }, range: Range): MetricSeries[] {
  const { fields, count } = store.positions(run.no)
  const first = range.from === undefined ? 0 : firstIndex(fields, count, range.from)
  const end = range.to === undefined ? count : firstIndex(fields, count, range.to, true)
  return range.names.map((name) => seriesIn(run, name, fields, store.values(run.no, name, count), first, end, range.points))
}

/** Index of the first point whose step is at least `step`, or greater with `above`. */
function firstIndex(fields: Float64Array, count: number, step: number, above = false): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    const stepThere = fields[middle * FIELDS]!
    if (stepThere < step || (above && stepThere === step)) low = middle + 1
    else high = middle
  }
  return low
}

function seriesIn(
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
  let previous = -1
  for (let at = first; at < end; at += 1) {
    if (values[at] === ABSENT) continue
    count += 1
    if (previous >= 0 && Number.isNaN(values[at]) !== Number.isNaN(values[previous])) edges += 1
    previous = at
  }
  // a gap gets its own buckets, or the curve would be drawn across it; not if there are too many gaps to draw
  const separatesGaps = edges < points / 2
  const buckets = count <= points ? count : separatesGaps ? points - edges : points
  const series: MetricSeries = { runId: run.id, name, steps: [], epochs: [], tokens: [], seconds: [], min: [], max: [], last: [], count, notFinite: [], seq: run.seq } // prettier-ignore
  let pointCount = 0
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
  previous = -1
  for (let at = first; at < end; at += 1) {
    const value = values[at]!
    if (value === ABSENT) continue
    if (separatesGaps && previous >= 0 && Number.isNaN(value) !== Number.isNaN(values[previous])) close(previous)
    pointCount += 1
    if (Number.isNaN(value)) series.notFinite.push(fields[at * FIELDS]!)
    else {
      last = value
      if (value < min) min = value
      if (value > max) max = value
    }
    previous = at
    if (pointCount < Math.floor(((bucket + 1) * count) / buckets)) continue
    bucket += 1
    close(at)
    previous = -1
  }
  return series
}
