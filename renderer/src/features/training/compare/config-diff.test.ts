import { expect, test } from 'vitest'
import type { Run } from '#contracts/entities/run.ts'
import { TrainSettings } from '#contracts/trainer.ts'
import { configDiff } from './config-diff.ts'

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

test('only differing settings are listed, by their names in the form', () => {
  expect(configDiff([run({}), run({ epochs: 5, method: { kind: 'lora', rank: 8 } })], sameName)).toEqual([
    { name: 'Epochs', values: ['3', '5'] },
    { name: 'Rank', values: ['16', '8'] },
  ])
})
test('the value is null for a run that lacks the setting', () => {
  const names = configDiff([run({}), run({ method: { kind: 'full' } })], sameName)
  expect(names.find(({ name }) => name === 'Rank')).toEqual({ name: 'Rank', values: ['16', null] })
})
test('equal settings produce no differences', () => {
  expect(configDiff([run({}), run({})], sameName)).toEqual([])
})
