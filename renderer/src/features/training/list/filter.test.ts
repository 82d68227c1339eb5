import { expect, test } from 'vitest'
import { moved, readFilter } from './filter.ts'

test('the address holds the filter, and unknown values are ignored', () => {
  expect(readFilter(new URLSearchParams('q=%20tiny&state=active&strategy=dpo&starred=1&dataset=d'))).toEqual({
    q: 'tiny',
    state: ['preparing', 'running', 'pausing', 'queued'],
    strategy: 'dpo',
    starred: 'true',
    datasetId: 'd',
  })
  expect(readFilter(new URLSearchParams('state=toString&strategy=magic&starred=0'))).toEqual({})
})
test('a run moves by one place and stays within the queue', () => {
  expect(moved(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 'x', 1)).toEqual(['a', 'b', 'c'])
})
