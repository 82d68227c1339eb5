import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largestSession, overShare } from './session-share.ts'

const rowsOf = (sizes: readonly number[]) =>
  sizes.flatMap((size, session) => Array.from({ length: size }, (_, row) => ({ id: `${session}-${row}`, session: `s${session}` })))

test('no session gives more than its share, and no row is dropped without need', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 30 })
  const isRight = (of: readonly number[], share: number): boolean => {
    const rows = rowsOf(of)
    const dropped = new Set(overShare(rows, share, 1).map(({ id }) => id))
    if (of.length < 1 / share) return dropped.size === 0 // too few sessions for such a share
    const kept = rows.filter(({ id }) => !dropped.has(id))
    const { rows: largest } = largestSession(kept.map(({ session }) => session))!
    // with one row more of each session, the largest would have too many
    const next = of.map((size) => Math.min(size, largest + 1)).reduce((a, b) => a + b)
    return largest <= share * kept.length + 1e-6 && (dropped.size === 0 || largest + 1 > share * next - 1e-6)
  }
  expect(() => fc.assert(fc.property(sizes, fc.integer({ min: 2, max: 100 }), (of, percent) => isRight(of, percent / 100)))).not.toThrow()
})

test('rows without a session have no limit, and the same seed drops the same rows', () => {
  const rows = [...rowsOf([38, ...Array.from({ length: 31 }, () => 2)]), { id: 'imported', session: null }]
  const dropped = overShare(rows, 0.1, 7)
  expect(dropped).toHaveLength(31) // 7 of the largest session remain: 10 % of 70 rows
  expect(dropped.every(({ id, cap }) => id.startsWith('0-') && cap === 7)).toBe(true)
  expect(overShare(rows, 0.1, 7)).toEqual(dropped)
  expect(overShare(rows, 1, 7)).toEqual([])
})
