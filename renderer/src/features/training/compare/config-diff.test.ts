import { expect, test } from 'vitest'
import type { Run } from '#contracts/entities/run.ts'
import { TrainSettings } from '#contracts/trainer.ts'
import { configDiff, flatSettings } from './config-diff.ts'

const run = (settings: object, more: Partial<Run> = {}) =>
  ({
    strategy: 'sft',
    baseModel: 'org/tiny',
    teacher: null,
    datasetId: null,
    datasetName: null,
    preset: 'quick',
    device: null,
    settings: TrainSettings.parse({ learningRate: 1e-4, ...settings }),
    ...more,
  }) as Run

const sameName = (model: string) => model

test('only differing settings are listed, nested ones by their path', () => {
  expect(configDiff([run({}), run({ epochs: 5, method: { kind: 'lora', rank: 8 } })], sameName)).toEqual([
    { name: 'method.rank', values: ['16', '8'] },
    { name: 'epochs', values: ['3', '5'] },
  ])
})
test('the value is null for a run that lacks the setting', () => {
  const names = configDiff([run({}), run({ method: { kind: 'full' } })], sameName)
  expect(names.find(({ name }) => name === 'method.rank')).toEqual({ name: 'method.rank', values: ['16', null] })
})
test('equal settings produce no differences', () => {
  expect(configDiff([run({}), run({})], sameName)).toEqual([])
  expect(flatSettings({ a: null, b: [1], c: { d: true } })).toEqual([
    ['a', 'none'],
    ['b', '[1]'],
    ['c.d', 'true'],
  ])
})
