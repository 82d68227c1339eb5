import { describe, expect, test } from 'vitest'
import type { Model } from '#contracts/entities/model.ts'
import { bestOf, differenceOf, figureOf, formatFigure, inOrder, intervalOf, measuresOf, sharesData } from './figures.ts'

describe('best', () => {
  test('is every place that has the lowest or highest value', () => {
    expect([...bestOf([2, 1, 1, 3], 'lower')]).toEqual([1, 2])
    expect([...bestOf([2, null, 3], 'higher')]).toEqual([2])
  })
  test('is empty if there is nothing to compare', () => {
    expect(bestOf([2, null], 'lower').size).toBe(0)
    expect(bestOf([2, 2], 'lower').size).toBe(0)
    expect(bestOf([1, 2], null).size).toBe(0)
  })
})

test('a difference needs both values and is shown with its sign in the format of the figure', () => {
  const { format } = figureOf('size_bytes')
  expect(differenceOf(1_500_000, 1_000_000, format)).toBe('+500 kB')
  expect(differenceOf(1, 2, formatFigure)).toBe('−1')
  expect(differenceOf(2, 2, formatFigure)).toBeNull()
  expect(differenceOf(0.057, 0.045, figureOf('mean_token_accuracy').format)).toBe('+1.2 points')
  expect(differenceOf(null, 2, formatFigure)).toBeNull()
})

test('a diverged loss has the same number format as its curve', () => {
  expect([9679.4, 6.1249, 0.00012, 1200, null].map(formatFigure)).toEqual(['9679', '6.125', '0.00012', '1,200', '–'])
})

test('an unknown figure keeps its name and has no best value, unless it is an evaluation', () => {
  expect(figureOf('grad_norm')).toMatchObject({ label: 'grad_norm', better: null, isOfTrainer: true })
  expect(figureOf('humaneval_pass1', new Set(['humaneval_pass1']))).toMatchObject({ better: 'higher' })
  expect(figureOf('parity_calls.gguf-q4_k_m')).toMatchObject({ label: 'Same tool calls as export gguf-q4_k_m', better: 'higher' })
  expect(inOrder(['zeta', 'rows', 'alpha', 'loss'])).toEqual(['loss', 'rows', 'alpha', 'zeta'])
})

test('the interval of a share is the Wilson interval', () => {
  // the expected values for 17 of 20 are from Newcombe 1998, method 3
  const [low, high] = intervalOf({ value: 0.85, n: 20 }) ?? [0, 0]
  expect(low).toBeCloseTo(0.6396, 3)
  expect(high).toBeCloseTo(0.9476, 3)
  const [none, some] = intervalOf({ value: 0, n: 20 }) ?? [1, 0]
  expect(none).toBe(0)
  expect(some).toBeCloseTo(0.1611, 3)
  expect(intervalOf({ value: 3.2, n: 20 })).toBeNull()
  expect(intervalOf({ value: 0.5, n: null })).toBeNull()
})

test('figures that depend on the data are compared only if strategy and data set are the same', () => {
  let runs = 0
  const of = (strategy: string, datasetName: string | null) =>
    ({ lineage: { strategy, datasetId: null, datasetName, runId: String((runs += 1)) } }) as unknown as Model
  expect(sharesData([of('sft', 'a'), of('sft', 'a')])).toBe(true)
  expect(sharesData([of('sft', 'a'), of('grpo', 'a')])).toBe(false)
  expect(sharesData([of('sft', 'a'), of('sft', 'b')])).toBe(false)
  expect(sharesData([of('sft', null), of('sft', null)])).toBe(false) // unknown sources
  const ofData = ['loss', 'eval_loss', 'mean_token_accuracy', 'eval_mean_token_accuracy', 'rewards/accuracies', 'reward', 'eval_reward']
  expect(ofData.filter((id) => !figureOf(id).isOfData)).toEqual([])
  expect(figureOf('tokens_per_sec').isOfData).toBeUndefined()
})

test('each measure is read from the newest evaluation, training or exports of the model, and is null if not measured', () => {
  const parity = (withCalls: number, sameCalls: number) => ({ parity: { withCalls, sameCalls } })
  const model = {
    evaluations: [
      { name: 'exam', value: 0.4, n: 10 },
      { name: 'exam', value: 0.6, n: 30 },
      { name: 'Exam Mine: difference from Base', value: -0.1, n: 24, exam: { interval: { low: -0.2, high: 0 } } },
    ],
    training: { evalLoss: null, loss: 1.5 },
    artifacts: [{ parity: null }, parity(12, 12), parity(8, 6), parity(0, 0)],
    operational: { tokensPerSec: null, latencyMsP50: null },
  } as unknown as Model
  const measures = measuresOf([model])
  expect(measures[0]!.format(-0.1), 'a difference is no share').toBe('−.100')
  expect(differenceOf(-0.2, 0.12, measures[0]!.format)).toBe('−.320')
  const values = Object.fromEntries(measures.map(({ id, of }) => [id, of(model)]))
  expect(values).toEqual({
    exam: { value: 0.6, n: 30 },
    'Exam Mine: difference from Base': { value: -0.1, n: 24, interval: [-0.2, 0] },
    eval_loss: null,
    loss: { value: 1.5, n: null },
    parity_calls: { value: 0.9, n: 20 },
    tokens_per_sec: null,
    latency_ms: null,
  })
})
