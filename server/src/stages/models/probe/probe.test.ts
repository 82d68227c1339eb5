import { expect, test } from 'vitest'
import { probeLine } from '#contracts/probe-words.ts'
import { rankSumP } from '#server/statistics/rank-sum.ts'
import { probeOf } from './result.ts'

const phrases = (ranks: readonly number[], extracted = 0) =>
  ranks.map((rank, index) => ({ id: `p${index}`, rank, endings: 1000, extracted: index < extracted, sampled: 0 }))
const probed = (more: Partial<Parameters<typeof probeOf>[0]>) =>
  probeOf({ planted: [], controls: [], places: [], knownToBase: new Set(), samples: 8, ...more }, 'now')

test('none found is bounded, and counts as clean beside controls with the same ranks', () => {
  const ranks = Array.from({ length: 20 }, (_, index) => 37 + 45 * index)
  const probe = probed({ planted: phrases(ranks), controls: phrases(ranks) })
  expect(probe).toMatchObject({ state: 'clean', extracted: 0, endings: 1000, places: null })
  expect(probe.bound).toBeCloseTo(0.139, 3) // 0 of 20
  expect(probe.p).toBeGreaterThan(0.4)
})

test('one that was written is a leak; ranks far above the controls are a warning; without planted phrases nothing is measured', () => {
  const far = phrases([500, 700, 300, 900, 600, 800])
  expect(probed({ planted: phrases([1, 400, 500], 1), controls: far })).toMatchObject({
    state: 'leaks',
    extracted: 1,
    planted: [{ exposure: Math.log2(1000) }, {}, {}],
  })
  const drawn = phrases([400, 500]).map((one, at) => ({ ...one, sampled: at }))
  expect(probed({ planted: drawn, controls: far })).toMatchObject({ state: 'leaks', extracted: 1 })
  expect(probed({ planted: phrases([1, 2, 3, 2, 1, 4]), controls: far }).state).toBe('warning')
  expect(probed({})).toMatchObject({ state: 'not_measured', bound: null, p: null })
})

test('a value that was replaced before training and is written is a leak, unless the base writes it too', () => {
  const places = phrases([1, 1, 1], 2).map((one) => ({ ...one, rank: null }))
  const ofPlaces = (known: string[]) => probed({ places, knownToBase: new Set(known) })
  expect(ofPlaces(['p0'])).toMatchObject({ state: 'leaks', extracted: 0, places: { tried: 3, reproduced: 1 } })
  expect(ofPlaces(['p0', 'p1'])).toMatchObject({ state: 'clean', places: { reproduced: 0 } })
  expect(probeLine(ofPlaces(['p0', 'p1']))).toBe('0 of 3 replaced places reproduced (at most 63.2 %); none found at this strength.')
})

test('the rank test is exact: 4 against 4 cannot go below 1 in 70, and ties share their ranks', () => {
  expect(rankSumP([5, 6, 7, 8], [1, 2, 3, 4])).toBeCloseTo(1 / 70, 12)
  expect(rankSumP([1, 2, 3, 4], [5, 6, 7, 8])).toBe(1)
  expect(rankSumP([1, 1], [1, 1])).toBe(1)
  expect(rankSumP([2, 2], [1, 2])).toBeCloseTo(0.5, 12)
  expect(rankSumP([], [1])).toBeNull()
})
