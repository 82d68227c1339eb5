import { expect, test } from 'vitest'
import { moved, readFilter } from './filter.ts'

test('reads the filter from the address and ignores unknown values', () => {
  expect(readFilter(new URLSearchParams('q=%20tiny&state=active&strategy=dpo&starred=1&dataset=d'))).toEqual({
    q: 'tiny',
    state: ['preparing', 'running', 'pausing', 'queued'],
    strategy: 'dpo',
    starred: 'true',
    datasetId: 'd',
  })
  expect(readFilter(new URLSearchParams('state=toString&strategy=magic&starred=0'))).toEqual({})
})
test('moves a run by one place; the first run and an unknown run do not move', () => {
  expect(moved(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 'x', 1)).toEqual(['a', 'b', 'c'])
})
