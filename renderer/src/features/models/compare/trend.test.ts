import { expect, test } from 'vitest'
import type { Model } from '#contracts/entities/model.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { datasetsWithSeveral, trendsOf } from './trend.ts'

const model = (id: string, datasetName: string | null, day: number, loss: number | null, strategy: TrainStrategy = 'sft') =>
  ({
    id,
    name: id,
    createdAt: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
    lineage: { datasetName, strategy },
    training: { loss, evalLoss: null },
    operational: { tokensPerSec: day, latencyMsP50: null },
    evaluations: [],
    artifacts: [],
  }) as unknown as Model
const models = [
  model('c', 'mine v2', 9, 1),
  model('b', 'mine v1', 7, null),
  model('a', 'mine v1', 3, 2),
  model('x', 'other', 4, 3),
  model('y', null, 5, 3),
]
const shown = (of: readonly Model[]) =>
  trendsOf(of, 'mine').map(({ label, strategy, points }) => [label, strategy, points.map(({ id, value }) => [id, value])])

test('a trend contains the measured models of one data set, oldest first', () => {
  expect(shown(models)).toEqual([
    ['Final loss', null, [['a', 2], ['c', 1]]], // prettier-ignore
    ['Tokens per second', null, [['a', 3], ['b', 7], ['c', 9]]], // prettier-ignore
  ])
})

test('losses of different strategies are separate trends; comparable figures share one trend', () => {
  const mixed = [...models, model('d', 'mine v2', 10, 0.6, 'dpo'), model('e', 'mine v2', 11, 0.5, 'dpo'), model('k', 'mine v2', 12, 0.4, 'kto')] // prettier-ignore
  expect(shown(mixed)).toEqual([
    ['Final loss, SFT', 'sft', [['a', 2], ['c', 1]]], // prettier-ignore
    ['Final loss, DPO', 'dpo', [['d', 0.6], ['e', 0.5]]], // prettier-ignore
    ['Tokens per second', null, [['a', 3], ['b', 7], ['c', 9], ['d', 10], ['e', 11], ['k', 12]]], // prettier-ignore
  ])
})

test('data sets with only one model, and models without a data set, have no trend', () => {
  expect(datasetsWithSeveral(models)).toEqual(['mine'])
})
