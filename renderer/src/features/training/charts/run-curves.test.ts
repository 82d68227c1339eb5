import { describe, expect, test } from 'vitest'
import type { MetricSeries } from '#contracts/entities/run.ts'
import type { Payload } from '#contracts/messages.ts'
import { Newest, RunCurves } from './run-curves.ts'
import { CurveSource } from './source.ts'

const answer = (values: (number | null)[], seq: number, more: Partial<MetricSeries> = {}): MetricSeries => ({
  runId: 'a'.repeat(26),
  name: 'loss',
  steps: values.map((_, at) => at + 1),
  epochs: values.map((_, at) => (at + 1) / 10),
  tokens: values.map((_, at) => (at + 1) * 100),
  seconds: values.map((_, at) => at + 1),
  min: values,
  max: values,
  last: values,
  count: values.length,
  notFinite: [],
  seq,
  ...more,
})
/** A message with a point for each of these steps; the event of step n is number 10 + n by default. */
const message = (steps: number[], more: { seq?: number; metrics?: Record<string, number | null> } = {}): Payload<'training:progress'> => ({
  runId: 'a'.repeat(26),
  seq: more.seq ?? 10 + (steps.at(-1) ?? 0),
  step: steps.at(-1) ?? 0,
  totalSteps: 100,
  epoch: null,
  tokens: null,
  seconds: 1,
  tokensPerSec: null,
  etaSec: null,
  points: steps.map((step, at) => ({
    seq: more.seq === undefined ? 10 + step : more.seq + at,
    step,
    epoch: step / 10,
    tokens: step * 100,
    seconds: step,
    metrics: more.metrics ?? { loss: step * 10 },
  })),
})
const stepsOf = (curves: RunCurves, name = 'loss') => {
  const series = curves.series.get(name)
  return series ? Array.from(series.x('step').slice(0, series.size)) : []
}
const valuesOf = (curves: RunCurves, name = 'loss') => {
  const series = curves.series.get(name)
  return series ? Array.from(series.last.slice(0, series.size)) : []
}

describe('an answer continued by messages', () => {
  test('a message that overlaps the answer adds only its new points', () => {
    const curves = new RunCurves([answer([10, 20, 30], 13)])
    expect(curves.push(message([2, 3, 4, 5]))).toBe(true)
    expect(stepsOf(curves)).toEqual([1, 2, 3, 4, 5])
    expect(valuesOf(curves)).toEqual([10, 20, 30, 40, 50])
    expect(curves.push(message([4, 5]))).toBe(false)
    expect(curves.counts.get('loss')).toBe(5)
  })

  test('an evaluation at the same step as a training point is kept', () => {
    const curves = new RunCurves([answer([10, 20], 12)])
    curves.push(message([3]))
    curves.push(message([3], { seq: 14, metrics: { eval_loss: 7 } }))
    expect(stepsOf(curves)).toEqual([1, 2, 3])
    expect(valuesOf(curves, 'eval_loss')).toEqual([7])
  })

  test('repeated steps replace the earlier ones in every metric', () => {
    const curves = new RunCurves([answer([10, 20, 30, 40], 20), answer([1, 2, 3, 4], 20, { name: 'grad_norm' })])
    curves.push(message([3], { seq: 21, metrics: { loss: 99 } }))
    expect(valuesOf(curves)).toEqual([10, 20, 99])
    expect(stepsOf(curves, 'grad_norm')).toEqual([1, 2])
  })

  test('a value that is not a number is a gap, and its step is recorded', () => {
    const curves = new RunCurves([answer([10, null], 12, { notFinite: [2] })])
    curves.push(message([3], { metrics: { loss: null } }))
    expect(valuesOf(curves)).toEqual([10, Number.NaN, Number.NaN])
    expect(curves.notFinite.get('loss')).toEqual([2, 3])
    expect(curves.series.get('loss')?.gaps).toEqual([1, 2])
  })

  test('a part of the run ignores points outside its range', () => {
    const curves = new RunCurves([answer([10, 20, 30], 13)], { from: 1, to: 4 })
    curves.push(message([4, 5, 6]))
    expect(stepsOf(curves)).toEqual([1, 2, 3, 4])
  })

  test('a metric that first appears in a message gets a series', () => {
    const curves = new RunCurves([])
    curves.push(message([1], { metrics: { kl: 0.5 } }))
    expect(curves.names).toEqual(['kl'])
  })
})

test('messages that arrived before the answer are appended to it once', () => {
  const newest = new Newest()
  for (const step of [1, 2, 3, 4]) newest.add(message([step]))
  const curves = new RunCurves([answer([10, 20], 12)])
  newest.continue(curves)
  newest.continue(curves)
  expect(stepsOf(curves)).toEqual([1, 2, 3, 4])
  newest.forget(13)
  const later = new RunCurves([answer([10, 20, 30], 13)])
  newest.continue(later)
  expect(stepsOf(later)).toEqual([1, 2, 3, 4])
})

test('more than 4000 points from messages request a reload', () => {
  const newest = new Newest()
  const many = Array.from({ length: 4001 }, (_, at) => at)
  expect(newest.add(message(many))).toBe(true)
})

describe('a curve source', () => {
  test('a reload and a lost connection result in the same curve as an uninterrupted one', () => {
    const whole = Array.from({ length: 40 }, (_, at) => (at + 1) * 10)
    const steady = new CurveSource('a'.repeat(26))
    steady.takeWhole([])
    for (let step = 1; step <= 40; step += 1) steady.takeMessage(message([step]))
    const broken = new CurveSource('a'.repeat(26))
    // messages arrive before the first answer, which includes only some of them
    broken.takeMessage(message([17, 18]))
    broken.takeMessage(message([19, 20]))
    broken.takeWhole([answer(whole.slice(0, 18), 28)])
    broken.takeMessage(message([20, 21]))
    // 22 to 29 are lost with the connection; the next answer includes them
    broken.takeMessage(message([30]))
    broken.takeWhole([answer(whole.slice(0, 31), 41)])
    for (let step = 31; step <= 40; step += 1) broken.takeMessage(message([step]))
    expect(valuesOf(broken.whole!)).toEqual(valuesOf(steady.whole!))
    expect(stepsOf(broken.whole!)).toEqual(stepsOf(steady.whole!))
  })

  test('a paused chart loses no points', () => {
    const source = new CurveSource('a'.repeat(26))
    source.takeWhole([answer([10], 11)])
    source.pause(true)
    source.takeMessage(message([2]))
    expect(stepsOf(source.shown!)).toEqual([1])
    source.pause(false)
    source.takeMessage(message([3]))
    expect(stepsOf(source.shown!)).toEqual([1, 2, 3])
  })

  test('a finer part is shown instead of the whole run until it is removed', () => {
    const source = new CurveSource('a'.repeat(26))
    source.takeWhole([answer([10, 20], 12, { count: 500 })])
    expect(source.coarse).toBe(true)
    source.takePart([answer([15, 16, 17], 12)], { from: 1, to: 3 })
    expect(stepsOf(source.shown!)).toEqual([1, 2, 3])
    source.takePart(null)
    expect(stepsOf(source.shown!)).toEqual([1, 2])
  })
})
