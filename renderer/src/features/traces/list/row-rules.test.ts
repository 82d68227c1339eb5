import { expect, it } from 'vitest'
import { tokenSum } from './row-rules.ts'

it('adds the four kinds of tokens and reports a missing one', () => {
  expect(tokenSum({ input: 1, output: 2, cacheRead: 3, cacheWrite: 0 })).toEqual({ sum: 6, complete: true })
  expect(tokenSum({ input: 1, output: null, cacheRead: 3, cacheWrite: 0 })).toEqual({ sum: 4, complete: false })
  expect(tokenSum({ input: null, output: null, cacheRead: null, cacheWrite: null })).toEqual({ sum: null, complete: false })
})
