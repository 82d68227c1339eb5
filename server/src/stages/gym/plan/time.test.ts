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
  trainSec: 15, // ten seconds of steps, five of loading and saving
  ...more,
})

it('estimates by the speed and overhead of similar runs, with a margin of a fifth', () => {
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
] satisfies [string, Partial<MeasuredRun>][])('ignores a run with %s', (_, more) => {
  expect(timeOf(wanted, [aRun(more)])).toBeNull()
})
