import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { STEP, type Axis } from './axis.ts'
import { csvOf, svgOf } from './export.ts'
import { axisTicks, logTicks, niceTicks, padded } from './scale.ts'
import { Series } from './series.ts'
import { Smoothed } from './smooth.ts'
import { formatTicks } from './ticks.ts'
import { formatValue } from '../format.ts'
import { bandOf, traceBand, traceLine, type Frame } from './trace-line.ts'
import { extentOf, shownSpan, stepsOf, zoomed, type View } from './view.ts'
import { brokenSentence, sentenceOf } from './words.ts'

const TOKENS: Axis = { id: 'tokens', label: 'Tokens', unit: 'token', kind: 'whole' }
const VIEW: View = { axis: STEP, log: false, smoothing: 0, clip: null, range: null, window: null }
function seriesOf(values: readonly number[]): Series {
  const series = new Series(4)
  values.forEach((value, at) => series.push({ step: at + 1, epoch: (at + 1) / 100, tokens: (at + 1) * 7, time: at * 2 }, value))
  return series
}
/** A drawing context that records its lines. */
function pen() {
  const lines: [number, number][][] = []
  return {
    lines,
    moveTo: (x: number, y: number) => void lines.push([[x, y]]),
    lineTo: (x: number, y: number) => void lines.at(-1)!.push([x, y]),
  }
}
const frame = (more: Partial<Frame> = {}): Frame => ({
  left: 0,
  top: 0,
  width: 100,
  height: 100,
  span: [1, 100],
  lo: 0,
  hi: 100,
  log: false,
  ...more,
})

describe('a series', () => {
  test('has the right extremes of any range, also after points were removed', () => {
    const value = fc.double({ min: -1000, max: 1000, noNaN: true })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 300 }), fc.nat(300), fc.nat(300), fc.nat(300), (values, a, b, cut) => {
        const series = seriesOf(values)
        series.cut(cut + 1)
        const kept = values.slice(0, cut)
        if (kept.length < values.length) series.push({ step: 1000, epoch: 10, tokens: 9999, time: 999 }, 5)
        const all = kept.length < values.length ? [...kept, 5] : kept
        const [from, to] = [Math.min(a, b), Math.min(Math.max(a, b), all.length)]
        const out = { lo: 0, hi: 0 }
        series.extremes(from, to, out)
        const part = all.slice(from, to)
        expect(out).toEqual({ lo: Math.min(Infinity, ...part), hi: Math.max(-Infinity, ...part) })
      }),
    )
  })

  test('ignores points that are not after its last one, and axes never run backwards', () => {
    const series = new Series()
    expect(series.push({ step: 5, epoch: 1, tokens: 50, time: 9 }, 1)).toBe(true)
    expect(series.push({ step: 5, epoch: 1, tokens: 50, time: 9 }, 2)).toBe(false)
    expect(series.push({ step: 6, epoch: Number.NaN, tokens: 10, time: 11 }, 2)).toBe(true)
    expect([series.x('epoch')[1], series.x('tokens')[1], series.x('time')[1]]).toEqual([1, 50, 11])
  })

  test('keeps the extremes of buckets separate from their last value', () => {
    const series = new Series(2)
    for (let at = 1; at <= 5; at += 1) series.push({ step: at, epoch: 0, tokens: 0, time: 0 }, 2, 1, 9)
    const out = { lo: 0, hi: 0 }
    series.extremes(0, 5, out)
    expect([out.lo, out.hi, series.last[4]]).toEqual([1, 9, 2])
  })

  test('finds the point nearest to a value of the axis', () => {
    const series = seriesOf([1, 2, 3])
    expect([-5, 1.4, 1.6, 99].map((place) => series.nearest('step', place))).toEqual([0, 0, 1, 2])
    expect(new Series().nearest('step', 1)).toBeNull()
  })
})

describe('the average', () => {
  test('starts at the first value, without bias, and skips gaps', () => {
    const average = new Smoothed().of(seriesOf([4, 4, Number.NaN, 8]), 0.5)
    const [first, second, gap, last] = average.last
    expect([first, second]).toEqual([4, 4])
    expect(gap).toBeNaN()
    // y3 = (0.5² · 4 + 0.5 · 4) · 0.5 + 0.5 · 8 over 1 − 0.5³, with y2 = 3
    expect(last).toBeCloseTo((0.5 * 3 + 0.5 * 8) / (1 - 0.5 ** 3), 12)
  })

  test('gives the same result point by point as at once, and starts over when points were removed', () => {
    const source = seriesOf([1, 5, 2])
    const smoothed = new Smoothed()
    smoothed.of(source, 0.9)
    source.push({ step: 4, epoch: 0, tokens: 0, time: 0 }, 7)
    expect(smoothed.of(source, 0.9).last.slice(0, 4)).toEqual(new Smoothed().of(seriesOf([1, 5, 2, 7]), 0.9).last.slice(0, 4))
    source.cut(3)
    expect(smoothed.of(source, 0.9).size).toBe(2)
  })
})

describe('the drawn line', () => {
  test('has the extremes of the data, however many points', () => {
    const value = fc.double({ min: 0, max: 100, noNaN: true })
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 2000 }), fc.integer({ min: 20, max: 300 }), (values, width) => {
        const series = seriesOf(values)
        const drawn = pen()
        traceLine(drawn, series, 'step', frame({ width, span: [1, values.length] }))
        const ys = drawn.lines.flat().map(([, y]) => y)
        expect(Math.max(...ys)).toBeCloseTo(100 - Math.min(...values), 6)
        expect(Math.min(...ys)).toBeCloseTo(100 - Math.max(...values), 6)
        const xs = drawn.lines.flat().map(([x]) => x)
        expect(xs).toEqual(xs.toSorted((a, b) => a - b))
      }),
    )
  })

  test('ends at a gap, drawn as points and as pixels', () => {
    const few = pen()
    traceLine(few, seriesOf([1, 2, Number.NaN, 4, 5]), 'step', frame({ span: [1, 5] }))
    expect(few.lines.map((line) => line.length)).toEqual([2, 2])
    const many = pen()
    const values = Array.from({ length: 5000 }, (_, at) => (at === 2500 ? Number.NaN : 5))
    traceLine(many, seriesOf(values), 'step', frame({ span: [1, 5000] }))
    expect(many.lines).toHaveLength(2)
  })

  test('shows a point between two gaps, drawn as points and as pixels', () => {
    const few = pen()
    traceLine(few, seriesOf([1, Number.NaN, 7, Number.NaN, 4, 5]), 'step', frame({ span: [1, 6] }))
    expect(few.lines.map((line) => line.map(([, y]) => y))).toEqual([
      [99, 99],
      [93, 93],
      [96, 95],
    ])
    expect(few.lines[1]![1]![0]).toBeGreaterThan(few.lines[1]![0]![0])
    const many = pen()
    const values = Array.from({ length: 5000 }, (_, at) => (at > 1000 && at < 4000 && at !== 2500 ? Number.NaN : 5))
    traceLine(many, seriesOf(values), 'step', frame({ span: [1, 5000] }))
    const within = many.lines.filter((line) => line.every(([x]) => x > 25 && x < 75))
    expect(within.map((line) => line.map(([, y]) => y))).toEqual([[95, 95]])
    expect(within[0]![1]![0]).toBeGreaterThan(within[0]![0]![0])
  })

  test('has a band that ends at a gap, and goes to the edge of a logarithmic scale when it is below zero', () => {
    const spread = seriesOf([1, 1, Number.NaN, 1, 1])
    const drawn = pen()
    const line = seriesOf([5, 5, Number.NaN, 5, 5])
    traceBand(drawn, { series: line, band: bandOf(line, spread) }, 'step', frame({ span: [1, 5] }), [0, 5])
    expect(drawn.lines.map((line) => line.map(([x, y]) => [x, y]))).toEqual([
      [[0, 94], [25, 94], [25, 96], [0, 96]],
      [[75, 94], [100, 94], [100, 96], [75, 96]],
    ]) // prettier-ignore
    const log = pen()
    const steep = seriesOf([1, 99])
    traceBand(log, { series: steep, band: bandOf(steep, spread) }, 'step', frame({ span: [1, 2], lo: 1, hi: 100, log: true }), [0, 2])
    expect(log.lines[0]!.at(-1)).toEqual([0, 100])
  })

  test('has a gap on a logarithmic scale when values are not above zero', () => {
    const drawn = pen()
    traceLine(drawn, seriesOf([1, 0, 10, 100]), 'step', frame({ span: [1, 4], lo: 1, hi: 100, log: true }))
    expect(drawn.lines.map((line) => line.map(([, y]) => Math.round(y)))).toEqual([
      [100, 100],
      [50, 0],
    ])
  })
})

describe('the view', () => {
  const series = seriesOf(Array.from({ length: 100 }, (_, at) => (at === 50 ? 1000 : at)))
  test('shows everything, a range, or the last steps', () => {
    expect(shownSpan([series], VIEW)).toEqual([1, 100])
    expect(shownSpan([series], { ...VIEW, range: [5, 9] })).toEqual([5, 9])
    expect(shownSpan([series], { ...VIEW, window: 10 })).toEqual([90, 100])
    expect(shownSpan([series], { ...VIEW, axis: TOKENS, window: 10 })).toEqual([630, 700])
    expect(shownSpan([new Series()], VIEW)).toBeNull()
  })

  test('has other extremes with a clip, and counts the points outside', () => {
    expect(extentOf([series], VIEW, [1, 100])).toEqual({ lo: 0, hi: 1000, outside: 0 })
    const clipped = extentOf([series], { ...VIEW, clip: 0.95 }, [1, 100])
    expect(clipped?.hi).toBeLessThan(100)
    expect(clipped?.outside).toBe(10)
  })

  test('ignores and counts values below zero on a logarithmic scale', () => {
    expect(extentOf([seriesOf([-1, 0, 5, 10])], { ...VIEW, log: true }, [1, 4])).toEqual({ lo: 5, hi: 10, outside: 2 })
  })

  test('zooming stays within the full span, and zooming out far enough shows everything', () => {
    expect(zoomed([0, 100], [0, 100], { factor: 0.5 })).toEqual([25, 75])
    expect(zoomed([0, 50], [0, 100], { shift: -1 })).toEqual([0, 50])
    expect(zoomed([25, 75], [0, 100], { factor: 2 })).toBeNull()
  })

  test('gives the steps of a range of another axis', () => {
    expect(stepsOf(series, 'tokens', [70, 140])).toEqual([9, 20])
  })
})

describe('ticks and words', () => {
  test('ticks are round numbers within the range', () => {
    expect(niceTicks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10])
    expect(niceTicks(7.18, 7.58, 4)).toEqual([7.2, 7.4])
    expect(axisTicks('whole', 0, 3, 10)).toEqual([0, 1, 2, 3])
    expect(axisTicks('time', 0, 180, 4)).toEqual([0, 60, 120, 180])
    expect(logTicks(0.001, 10, 8)).toEqual([0.001, 0.01, 0.1, 1, 10])
    expect(logTicks(7.1, 7.6, 4)).toEqual([7.2, 7.4, 7.6])
    expect(niceTicks(1, 1, 5)).toEqual([])
  })
  test('a flat curve has padding, but not below zero if it is never negative', () => {
    expect(padded({ lo: 5, hi: 5, outside: 0 }, false)).toEqual({ lo: 4.5, hi: 5.5 })
    expect(padded({ lo: 0, hi: 0, outside: 0 }, false)).toEqual({ lo: 0, hi: 1 })
    expect(padded({ lo: 0.01, hi: 10, outside: 0 }, false).lo).toBe(0)
    const flat = padded({ lo: 0.0049999984, hi: 0.005, outside: 0 }, false)
    expect(formatTicks(niceTicks(flat.lo, flat.hi, 4))).toEqual(['0.004995', '0.005'])
  })
  test('values have four significant digits', () => {
    expect([7.18432, 0.0002, 1.23e-7, 5.5e12, 4.432618860206843e33, 0, null, Number.NaN].map((value) => formatValue(value))).toEqual([
      '7.184',
      '0.0002',
      '1.23e-7',
      '5.50T',
      '4.433e+33',
      '0',
      '–',
      '–',
    ])
  })
  test('close ticks have different labels', () => {
    expect(formatTicks([6.1515, 6.152, 6.1525])).toEqual(['6.1515', '6.152', '6.1525'])
    expect(formatTicks([4.35e33, 4.4e33, 4.45e33])).toEqual(['4.350e+33', '4.400e+33', '4.450e+33'])
  })
  test('the sentence describes the points', () => {
    expect(sentenceOf({ label: 'loss', series: seriesOf([3, 1, 2]) }, 3)).toBe(
      'loss 2 at step 3, from 3 at step 1; minimum 1 (2), maximum 3 (1), 3 points',
    )
    expect(sentenceOf({ label: 'loss', series: new Series() }, 0)).toBe('loss: no value yet')
    expect(brokenSentence([])).toBeNull()
    expect(brokenSentence([1, 2, 3, 4, 5])).toBe('not a number at steps 1, 2, 3 and 2 more')
  })
})

test('an export has every point and quotes names', () => {
  const csv = csvOf([{ id: 'a', label: 'a "b", c', ink: 'series-1', dash: [], series: seriesOf([1, Number.NaN]), look: 'line' }])
  expect(csv.split('\n').slice(0, 3)).toEqual([
    'curve,step,epoch,tokens,seconds,value,least,greatest',
    '"a ""b"", c",1,0.01,7,0,1,1,1',
    '"a ""b"", c",2,0.02,14,2,,,',
  ])
})

test('the legend of an SVG names every curve and wraps into further rows', () => {
  const labels = ['a', 'b', 'c', 'd', 'e', `${'long '.repeat(12)}end`]
  const lines = labels.map((label) => ({ id: label, label, ink: 'series-1' as const, dash: [4, 2], series: seriesOf([1, 2]), look: 'line' as const })) // prettier-ignore
  const picture = { lines, view: VIEW, span: [1, 2] as const }
  const svg = svgOf(
    'Loss',
    'nats',
    picture,
    { lo: 1, hi: 2 },
    () => '#000',
    () => null,
  )
  const placeOf = (name: string) => new RegExp(`<text x="([\\d.]+)" y="([\\d.]+)" [^>]*>${name}</text>`).exec(svg)?.slice(1).map(Number)
  const [left, top] = placeOf('a') ?? []
  expect(placeOf('e')).toEqual([left, top! + 20])
  expect(placeOf('long long long…ng long end')).toEqual([placeOf('b')?.[0], top! + 20])
  expect(svg).toContain('viewBox="0 0 960 440"')
})
