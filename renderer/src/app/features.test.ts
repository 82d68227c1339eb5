import { expect, test } from 'vitest'
import { FEATURES } from './features.ts'

const twice = (values: readonly unknown[]) => values.filter((value, index) => values.indexOf(value) !== index)

test('no two entries of features have the same place or name', () => {
  const status = FEATURES.flatMap(({ status = [] }) => status)
  const settings = FEATURES.flatMap(({ settings = [] }) => settings)
  expect(twice(status.map(({ side, order }) => `${side} ${order}`))).toEqual([])
  expect(twice(settings.map(({ order }) => order))).toEqual([])
  expect(twice(settings.map(({ id }) => id))).toEqual([])
  expect(twice(FEATURES.flatMap(({ pages = [] }) => pages).map(({ path }) => path))).toEqual([])
  expect(twice(FEATURES.flatMap(({ sections = [] }) => sections).map(({ path }) => path))).toEqual([])
  expect(twice(FEATURES.flatMap(({ jobs = [] }) => jobs).map(({ kind }) => kind))).toEqual([])
})
