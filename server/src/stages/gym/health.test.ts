import { expect, it } from 'vitest'
import { assess, type HealthInput, type Point } from './health.ts'

const points = (values: (number | null)[], every = 1): Point[] => values.map((value, at) => ({ step: (at + 1) * every, value }))
const falling = (count: number) => Array.from({ length: count }, (_, at) => 3 - at * 0.02)
const healthOf = (curves: HealthInput['curves'], more: Partial<HealthInput> = {}) =>
  assess({ strategy: 'sft', curves, trainedTokens: 100, memory: null, silence: null, step: 80, ...more })
const codes = (...input: Parameters<typeof healthOf>) => healthOf(...input).map(({ code }) => code)

it('reports nothing for a falling loss', () => {
  expect(codes({ loss: points(falling(80)), eval_loss: points([3, 2.5, 2.2, 2], 20) }, { memory: { used: 50, total: 100 } })).toEqual([])
})

it.each([
  ['a value that is not finite', { loss: points([3, 2, null, null]) }],
  [
    'a gradient that is not finite, after a loss that became finite again',
    { loss: points([3, null, 2, 2]), grad_norm: points([1, 1, 1, null]) },
  ],
  ['a growing loss', { loss: points([...falling(20), 9, 12, 15, 18, 21]) }],
  ['a growing loss after a gap', { loss: points([...falling(10), null, ...falling(10), 9, 12, 15, 18, 21]) }],
])('reports %s as diverged', (_, curves) => {
  expect(codes(curves)).toEqual(['diverged'])
})

it('reports a loss or gradient that is finite again as not_finite', () => {
  expect(codes({ loss: points([3, null, 2]) })).toEqual(['not_finite'])
  expect(codes({ loss: points([3, 2.5, 2]), grad_norm: points([1, null, 1]) })).toEqual(['not_finite'])
})

it('suspects the model and the rows, not the learning rate, if the loss was never finite', () => {
  const causeOf = (loss: (number | null)[]) => healthOf({ loss: points(loss) })[0]?.message
  expect(causeOf([null, null, null])).toBe(
    'A value was not finite at step 1. No earlier step was finite either: check the base model and the rows.',
  )
  expect(causeOf([3, null, null])).toContain('Lower the learning rate')
  expect(causeOf([3, null, null, 2, null, 2, 2])).toMatch(
    /^A value was not finite at step 2\. It has been finite again since step 6\. Check the rows/,
  )
})

it('reports calls_lost after two evaluations well below the base model, over enough calls', () => {
  const calls = (values: number[]) => ({ eval_arg_f1: values.map((value, at) => ({ step: at * 50, value })) })
  const of = (values: number[], baseCalls = { f1: 0.6, calls: 40 }) => codes(calls(values), { baseCalls })
  expect(of([0.6, 0.7, 0.5, 0.45])).toEqual(['calls_lost'])
  expect(of([0.6, 0.5, 0.7, 0.5])).toEqual([])
  expect(of([0.6, 0.55, 0.55])).toEqual([])
  expect(of([0.6, 0.1, 0.1], { f1: 0.6, calls: 9 })).toEqual([])
})

it('reports a plateau only after step 50, and not if the loss does not measure learning', () => {
  const flat = points([...falling(50), ...Array.from({ length: 30 }, () => 2)])
  expect(codes({ loss: flat })).toEqual(['plateau'])
  expect(codes({ loss: flat.slice(0, 45) })).toEqual([])
  expect(codes({ loss: points(Array.from({ length: 25 }, () => 2)) })).toEqual([])
  expect(codes({ loss: flat }, { strategy: 'grpo' })).toEqual([])
  const rate = (last: number) => ({ loss: flat, learning_rate: points([1e-3, last]) })
  expect(codes(rate(9e-4), { learningRate: 1e-3 })).toEqual(['plateau'])
  expect(codes(rate(4e-4), { learningRate: 1e-3 })).toEqual([]) // the tail of a decaying schedule
})

it('reports overfitting with the best step', () => {
  const evals = points([2, 1.5, 1.6, 1.7, 1.8], 10)
  const [found] = healthOf({ loss: points(falling(50)), eval_loss: evals })
  expect(found).toMatchObject({ code: 'overfitting', step: 20, evidence: { best: 1.5, now: 1.8 } })
  expect(codes({ loss: points(falling(50)), eval_loss: points([2, 1.5, 1.6, 1.7, 1.5], 10) })).toEqual([])
})

it('reports preferences no better than chance, but not in the first steps', () => {
  const at = (...values: number[]) => ({ 'rewards/accuracies': values.map((value, index) => ({ step: 11 + index, value })) })
  expect(codes(at(0.5, 0.52, 0.4), { strategy: 'dpo' })).toEqual(['degenerate'])
  expect(codes(at(0.5, 0.6, 0.4), { strategy: 'dpo' })).toEqual([])
  expect(codes({ 'rewards/accuracies': points([0.5, 0.5, 0.5]) }, { strategy: 'dpo' })).toEqual([])
})

it('reports rewards that do not differ', () => {
  expect(codes({ reward_std: points([0, 0, 0, 0, 0]) }, { strategy: 'grpo' })).toEqual(['no_reward_spread'])
  expect(codes({ frac_reward_zero_std: points([1, 1, 1, 1, 0.5]) }, { strategy: 'rlvr' })).toEqual([])
  const curves = { frac_reward_zero_std: points([0.5, 1, 1, 1, 1, 1, 1, 1]) }
  expect(healthOf(curves, { strategy: 'rlvr' })).toMatchObject([{ code: 'no_reward_spread', step: 2 }])
})

it('reports that the gradient is 0 after ten points, from our own share of groups', () => {
  const lost = { reward: points([0.4, 0, 0]), frac_reward_zero_std: points(Array.from({ length: 12 }, () => 0)) } // the library's is 0 if nothing has a reward
  const flat = (count: number) => ({ ...lost, zero_variance_share: points([0.5, ...Array.from({ length: count }, () => 1)]) })
  expect(codes(flat(4), { strategy: 'grpo' })).toEqual([])
  expect(codes(flat(9), { strategy: 'grpo' })).toEqual(['no_reward_spread'])
  expect(healthOf(flat(10), { strategy: 'rlvr' })).toMatchObject([{ code: 'no_gradient', step: 2, evidence: { reward: 0 } }])
  expect(codes(flat(10), { strategy: 'sft' })).toEqual([])
})

it('reports that answers no longer end', () => {
  const cut = (name: string, values: number[]) => ({ [name]: points(values) })
  const lost = [0.1, 0.5, 0.6, 0.9, 1, 1, 1]
  expect(healthOf(cut('completions/clipped_ratio', lost), { strategy: 'rlvr' })).toMatchObject([{ code: 'answers_cut_off', step: 3, evidence: { cutOff: 1 } }]) // prettier-ignore
  expect(codes(cut('corrupted_share', lost), { strategy: 'grpo' })).toEqual(['answers_cut_off'])
  expect(codes(cut('completions/clipped_ratio', [...lost, 0.4]), { strategy: 'rlvr' })).toEqual([])
  expect(codes(cut('completions/clipped_ratio', lost.slice(0, 6)), { strategy: 'rlvr' })).toEqual([])
  expect(codes(cut('completions/clipped_ratio', lost), { strategy: 'distillation' })).toEqual([])
  const messages = { ...cut('corrupted_share', [0, 0, 0, 0, 0]), ...cut('completions/clipped_ratio', lost) }
  expect(codes(messages, { strategy: 'grpo' })).toEqual([]) // an episode may end without an end mark, at its limit of turns
})

it('reports that no token is trained, and that memory is nearly full', () => {
  expect(codes({}, { trainedTokens: 0 })).toEqual(['zero_tokens'])
  expect(codes({}, { memory: { used: 96, total: 100 } })).toEqual(['memory_near_limit'])
})

it('reports a stalled run after ten typical steps, but not within a minute', () => {
  const silent = (ms: number, typicalMs: number) => codes({}, { silence: { ms, typicalMs } })
  expect(silent(60_000, 100)).toEqual([])
  expect(silent(60_001, 100)).toEqual(['stalled'])
  expect(silent(299_000, 30_000)).toEqual([])
  expect(silent(301_000, 30_000)).toEqual(['stalled'])
  const found = (ms: number) => healthOf({}, { silence: { ms, typicalMs: 2000 }, step: 7 })
  expect(found(70_000)).toMatchObject([{ step: 7, evidence: { usualSec: 2, allowedSec: 60 } }])
  expect(found(90_000)).toEqual(found(70_000)) // the text does not change with time, so the report is not repeated
})
