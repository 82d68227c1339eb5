import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largestSession, overShare } from './session-share.ts'

const rowsOf = (sizes: readonly number[]) =>
  sizes.flatMap((size, session) => Array.from({ length: size }, (_, row) => ({ id: `${session}-${row}`, session: `s${session}` })))

test('no session gives more than its share, and no row is dropped without need', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 30 }), fc.integer({ min: 2, max: 100 }), (sizes, percent) => {
      const rows = rowsOf(sizes)
      const dropped = new Set(overShare(rows, percent / 100, 1).map(({ id }) => id))
      const kept = rows.filter(({ id }) => !dropped.has(id))
      if (sizes.length < 100 / percent) return void expect(dropped.size).toBe(0) // too few sessions for such a share
      const largest = largestSession(kept.map(({ session }) => session))!
      expect(largest.rows).toBeLessThanOrEqual((percent / 100) * kept.length + 1e-6)
      // one row more of each session would be too much
      const next = sizes.map((size) => Math.min(size, largest.rows + 1)).reduce((a, b) => a + b)
      if (dropped.size > 0) expect(largest.rows + 1).toBeGreaterThan((percent / 100) * next - 1e-6)
    }),
  )
})

test('rows without a session have no limit, and the same seed drops the same rows', () => {
  const rows = [...rowsOf([38, ...Array.from({ length: 31 }, () => 2)]), { id: 'imported', session: null }]
  const dropped = overShare(rows, 0.1, 7)
  expect(dropped).toHaveLength(31) // 7 of the largest session remain: 10 % of 70 rows
  expect(dropped.every(({ id, cap }) => id.startsWith('0-') && cap === 7)).toBe(true)
  expect(overShare(rows, 0.1, 7)).toEqual(dropped)
  expect(overShare(rows, 1, 7)).toEqual([])
})
