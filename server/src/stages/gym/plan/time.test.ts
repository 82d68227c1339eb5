import { TrainMethod } from '#contracts/trainer.ts'
import { expect, it } from 'vitest'
import { type MeasuredRun, timeOf } from './time.ts'

const wanted = {
  strategy: 'sft',
  baseModelPath: '/models/a',
  method: { kind: 'full' },
  device: 'cpu',
  processes: 1,
  tokens: 10_000,
} as const
const aRun = (more: Partial<MeasuredRun> = {}): MeasuredRun => ({
  ...wanted,
  name: 'first',
  tokensPerSec: 100,
  tokens: 1000,
  trainSec: 15, // ten at work, five beside it
  ...more,
})

it('goes by runs like it: their speed, what they took beside it, and a fifth to either side', () => {
  const seconds = timeOf(wanted, [aRun(), aRun({ name: 'second', tokensPerSec: 200, trainSec: null })])
  expect(seconds).toEqual({ low: 40, high: 126, from: 'first, second' })
})

it.each([
  ['another strategy', { strategy: 'dpo' }],
  ['another model', { baseModelPath: '/models/b' }],
  ['another method', { method: TrainMethod.parse({ kind: 'lora', rank: 8 }) }],
  ['another device', { device: 'cuda' }],
  ['more processes', { processes: 2 }],
  ['no measured speed', { tokensPerSec: null }],
] satisfies [string, Partial<MeasuredRun>][])('knows nothing by a run of %s', (_, more) => {
  expect(timeOf(wanted, [aRun(more)])).toBeNull()
})
