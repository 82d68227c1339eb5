import { expect, test } from 'vitest'
import type { Model } from '#contracts/entities/model.ts'
import { datasetsWithSeveral, trendOf } from './trend.ts'

const model = (id: string, datasetName: string | null, day: number, loss: number | null) =>
  ({
    id,
    name: id,
    createdAt: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
    lineage: { datasetName },
    training: { loss },
  }) as unknown as Model
const models = [
  model('c', 'mine v2', 9, 1),
  model('b', 'mine v1', 7, null),
  model('a', 'mine v1', 3, 2),
  model('x', 'other', 4, 3),
  model('y', null, 5, 3),
]

test('a trend has the measured models of one data set, oldest first', () => {
  expect(trendOf(models, 'mine', ({ training }) => training.loss).map(({ id, value }) => [id, value])).toEqual([['a', 2], ['c', 1]]) // prettier-ignore
})

test('one model alone has no trend, and rows without a data set belong to none', () => {
  expect(datasetsWithSeveral(models)).toEqual(['mine'])
})
