import { expect, test } from 'vitest'
import { rankSumP } from '#server/statistics/rank-sum.ts'
import { probeOf } from './result.ts'

const phrases = (ranks: readonly number[], extracted = 0) =>
  ranks.map((rank, index) => ({ id: `p${index}`, rank, endings: 1000, extracted: index < extracted }))

test('none found is bounded, and counts as clean beside controls with the same ranks', () => {
  const ranks = Array.from({ length: 20 }, (_, index) => 37 + 45 * index)
  const probe = probeOf(phrases(ranks), phrases(ranks), 'now')
  expect(probe).toMatchObject({ state: 'clean', extracted: 0, endings: 1000 })
  expect(probe.bound).toBeCloseTo(0.139, 3) // 0 of 20
  expect(probe.p).toBeGreaterThan(0.4)
})

test('one that was written is a leak; ranks far above the controls are a warning; without planted phrases nothing is measured', () => {
  const far = [500, 700, 300, 900, 600, 800]
  expect(probeOf(phrases([1, 400, 500], 1), phrases(far), 'now')).toMatchObject({
    state: 'leaks',
    extracted: 1,
    planted: [{ exposure: Math.log2(1000) }, {}, {}],
  })
  expect(probeOf(phrases([1, 2, 3, 2, 1, 4]), phrases(far), 'now').state).toBe('warning')
  expect(probeOf([], [], 'now')).toMatchObject({ state: 'not_measured', bound: null, p: null })
})

test('the rank test is exact: 4 against 4 cannot go below 1 in 70, and ties share their ranks', () => {
  expect(rankSumP([5, 6, 7, 8], [1, 2, 3, 4])).toBeCloseTo(1 / 70, 12)
  expect(rankSumP([1, 2, 3, 4], [5, 6, 7, 8])).toBe(1)
  expect(rankSumP([1, 1], [1, 1])).toBe(1)
  expect(rankSumP([2, 2], [1, 2])).toBeCloseTo(0.5, 12)
  expect(rankSumP([], [1])).toBeNull()
})
