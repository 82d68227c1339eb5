import { expect, test } from 'vitest'
import { batchesOf, importOrder, isLarge } from './batches.ts'
import type { FoundSession } from './discover.ts'

const session = (traceId: string, megabytes: number, mtimeMs: number): FoundSession => ({
  traceId,
  agent: 'claude-code',
  sessionId: traceId,
  files: [],
  newBytes: megabytes * 1e6,
  mtimeMs,
})
const ids = (sessions: FoundSession[]) => sessions.map(({ traceId }) => traceId)

test('small new sessions come first, large ones last, newest first', () => {
  const old = Array.from({ length: 300 }, (_, index) => session(`old${index}`, 1, index))
  const all = [session('large old', 300, 1), ...old, session('small', 0.01, 290.5), session('large new', 100, 999)]
  const order = ids(importOrder(all))
  expect(order[0]).toBe('small')
  expect(order.slice(-2)).toEqual(['large new', 'large old'])
  expect(order.indexOf('old250')).toBeLessThan(order.indexOf('old50'))
  expect(order.toSorted()).toEqual(ids(all).toSorted())
})

test('a large session is alone in its batch', () => {
  const batches = batchesOf([session('a', 1, 3), session('b', 1, 2), session('large', 100, 1), session('larger', 200, 0)])
  expect(batches.map(ids)).toEqual([['a', 'b'], ['large'], ['larger']])
  expect(batches.map((batch) => batch.some(isLarge))).toEqual([false, true, true])
})
