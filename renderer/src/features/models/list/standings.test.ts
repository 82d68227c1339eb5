import { expect, test } from 'vitest'
import type { Model } from '#contracts/entities/model.ts'
import { placed, scaleOf } from './standings.ts'

const model = (id: string, value: number | null) => ({ id, value }) as unknown as Model
const of = (one: Model) => {
  const { value } = one as unknown as { value: number | null }
  return value === null ? null : { value, n: null }
}

test('the best model comes first, equal values share a rank, and unmeasured models have no rank', () => {
  const models = [model('a', 2), model('b', null), model('c', 1), model('d', 2)]
  const ranks = (better: 'lower' | 'higher') => placed(models, { id: 'tokens_per_sec', of, better }).map((one) => [one.model.id, one.rank])
  expect(ranks('lower')).toEqual([['c', 1], ['a', 2], ['d', 2], ['b', null]]) // prettier-ignore
  expect(ranks('higher')).toEqual([['a', 1], ['d', 1], ['c', 3], ['b', null]]) // prettier-ignore
})

test('figures of other data are neither placed nor shown on the scale', () => {
  const on = (id: string, value: number | null, datasetId: string) =>
    ({ id, value, lineage: { strategy: 'sft', datasetId } }) as unknown as Model
  const standings = placed([on('a', null, 'x'), on('b', 3, 'x'), on('c', 1, 'y'), on('d', 2, 'x')], { id: 'eval_loss', isOfData: true, of, better: 'lower' }) // prettier-ignore
  expect(standings.map(({ model: { id }, rank, isElsewhere }) => [id, rank, isElsewhere])).toEqual([['d', 1, false], ['b', 2, false], ['a', null, false], ['c', null, true]]) // prettier-ignore
  expect(scaleOf(standings)).toEqual({ low: 2, high: 3 })
})

test('the scale of shares is 0 to 1; the scale of other figures is their minimum to their maximum', () => {
  const at = (value: number, n: number | null = null) => ({ measured: { value, n } })
  expect(scaleOf([at(0.4, 20), at(0.5, 20)])).toEqual({ low: 0, high: 1 })
  expect(scaleOf([at(3), at(5), { measured: null }])).toEqual({ low: 3, high: 5 })
  expect(scaleOf([at(4)])).toEqual({ low: 2, high: 6 })
  expect(scaleOf([{ measured: null }])).toBeNull()
})
