import { describe, expect, test } from 'vitest'
import { wilson } from '#contracts/wilson.ts'
import { alpha, kappa, tableOf } from './agreement.ts'
import { bootstrap, mulberry32 } from './bootstrap.ts'
import { clustered } from './means.ts'
import { mcnemar, nonInferiority, paired } from './paired.ts'
import * as power from './power.ts'
import { holm, passAtK } from './rates.ts'
import { t95, twoSided } from './student.ts'

const digits = (text: string): number[] => text.split('').map(Number)
const gaps = (text: string): (number | null)[] => text.split('').map((mark) => (mark === '*' ? null : Number(mark)))

test.each([
  [10, 3, 1, 0.3],
  [10, 3, 5, 0.916667],
  [20, 4, 10, 0.956656],
  [100, 3, 1, 0.03],
  [200, 13, 100, 0.999919],
  [5, 0, 5, 0],
  [5, 1, 5, 1],
])('pass@k of %i answers, %i right, k %i', (n, c, k, expected) => expect(passAtK(n, c, k)).toBeCloseTo(expected, 6))

test.each([
  [0, 10, 0, 0.277533],
  [7, 10, 0.396778, 0.892209],
  [10, 10, 0.722467, 1],
  [85, 100, 0.767164, 0.90694],
  [132, 164, 0.737542, 0.858259],
])('the Wilson interval of %i of %i', (passed, n, low, high) => {
  expect(wilson(passed, n)!.low).toBeCloseTo(low, 6)
  expect(wilson(passed, n)!.high).toBeCloseTo(high, 6)
})

test.each([
  [1, 9, 0.021484, 0.011719],
  [2, 10, 0.038574, 0.022461],
  [8, 12, 0.503445, 0.38331],
  [0, 5, 0.0625, 0.03125],
  [0, 6, 0.03125, 0.015625],
  [3, 3, 1, 1],
  [0, 0, 1, 1],
])("McNemar's exact test of %i against %i", (b, c, p, midP) => {
  expect(mcnemar(b, c).p).toBeCloseTo(p, 6)
  expect(mcnemar(b, c).midP).toBeCloseTo(midP, 5)
})

test('values of a group depend on each other, which one group cannot tell', () => {
  const found = clustered(['111', '000', '10', '11', '01'].map(digits))
  expect(found.mean).toBeCloseTo(0.583333, 6)
  expect(found.plainSe).toBeCloseTo(0.148647, 6)
  expect(found.uncorrectedSe).toBeCloseTo(0.1932, 6)
  expect(found.se).toBeCloseTo(0.216005, 6)
  expect(found.high! - found.mean!).toBeCloseTo(2.7764451 * found.se!, 6)
  expect(clustered([digits('1101')])).toMatchObject({ mean: 0.75, groups: 1, se: null, low: null, high: null })
  expect(clustered([[], []])).toMatchObject({ mean: null, n: 0, se: null })
})

test("Student's t", () => {
  for (const [df, value] of [
    [1, 12.7062047],
    [2, 4.3026527],
    [9, 2.2621572],
    [30, 2.0422725],
    [1000, 1.9623391],
  ] as const)
    // prettier-ignore
    expect(t95(df)).toBeCloseTo(value, 6)
  expect(twoSided(0, 7)).toBe(1)
})

test('two models on the same items', () => {
  const found = paired(digits('1011010110'), digits('1111011110'))
  expect(found.delta).toBeCloseTo(0.2, 12)
  expect(found.se).toBeCloseTo(0.133333, 6)
  expect(found.unpairedSe).toBeCloseTo(0.210819, 6)
  expect(found).toMatchObject({ wins: 2, losses: 0, ties: 8, n: 10, p: 0.5 })
  expect(paired(digits('10'), digits('01'), ['a', 'a'])).toMatchObject({ groups: 1, se: null, wins: 1, losses: 1 })
})

test('a bootstrap over sessions, with the same numbers in every language', () => {
  const sessions = [[0.4, 0.4, 0.6], [0, 0.2], [0.1], [0.6, 0.3, 0, 0.3], [-0.2, 0], [0.5]]
  const found = bootstrap(sessions, 42, 1000)
  expect(found.mean).toBeCloseTo(0.246154, 6)
  expect(found.low).toBeCloseTo(0.055556, 6)
  expect(found.high).toBeCloseTo(0.394583, 6)
  const calls = bootstrap(sessions.flat().map((value) => [value]), 42, 1000) // prettier-ignore
  expect([calls.low, calls.high].map((end) => end!.toFixed(6))).toEqual(['0.115385', '0.376923'])
  const random = mulberry32(1)
  for (const expected of [0.6270739406, 0.0027357212, 0.52744704]) expect(random()).toBeCloseTo(expected, 9)
  expect(bootstrap([], 1, 10)).toEqual({ mean: null, low: null, high: null })
})

test("Holm's correction keeps the order given", () => {
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((value) => value.toFixed(2))).toEqual(['0.03', '0.06', '0.06', '0.02'])
})

describe('agreement', () => {
  test.each([
    [[[20, 5], [10, 15]], 0.4, 0.405941], // prettier-ignore
    [[[85, 5], [5, 5]], 0.444444, 0.878049], // prettier-ignore
  ])('kappa and AC1 of %j', (table, expected, ac1) => {
    const found = kappa(table, 'none')
    expect(found.kappa).toBeCloseTo(expected, 6)
    expect(found.ac1).toBeCloseTo(ac1, 6)
  })

  test.each([
    ['none', 0.625],
    ['linear', 0.805195],
    ['quadratic', 0.918919],
  ] as const)('kappa with weights: %s', (weights, expected) => {
    expect(kappa(tableOf(digits('1234512345'), digits('1234422355')), weights).kappa).toBeCloseTo(expected, 6)
  })

  test('one label only says nothing', () => {
    expect(kappa(tableOf([1, 1], [1, 1]), 'none')).toEqual({ n: 2, agreement: 1, kappa: null, ac1: null })
    expect(alpha([[1, 1], [1, 1]], 'nominal')).toBeNull() // prettier-ignore
    expect(kappa([], 'none')).toMatchObject({ n: 0, kappa: null })
  })

  test.each([
    ['nominal', 0.691358],
    ['ordinal', 0.806721],
    ['interval', 0.810845],
  ] as const)("Krippendorff's alpha with gaps: %s", (level, expected) => {
    expect(alpha([gaps('*****34121133*3'), gaps('1*213343*******'), gaps('**21344*21133*4')], level)).toBeCloseTo(expected, 6)
  })
})

test.each([
  [200, 9, 7, 0.019987, -0.042877, true],
  [100, 5, 3, 0.028213, -0.066407, false],
])('not worse, of %i items with %i lost and %i won', (n, b, c, se, end, shown) => {
  const found = nonInferiority(n, b, c, 0.05)
  expect(found.se).toBeCloseTo(se, 6)
  expect(found.end).toBeCloseTo(end, 6)
  expect(found.shown).toBe(shown)
})

test('the number of items that a difference needs', () => {
  expect([[0.2, 0.05], [0.3, 0.05], [0.2, 0.1], [0.3, 0.1]].map(([psi, delta]) => power.itemsForPairedRates(psi!, delta!))).toEqual([626, 940, 155, 234]) // prettier-ignore
  expect([[0.35, 0.05], [0.35, 0.1], [0.25, 0.05], [0.25, 0.1]].map(([sd, delta]) => power.itemsForMeans(sd!, delta!))).toEqual([385, 97, 197, 50]) // prettier-ignore
  expect([power.itemsForRates(0.5, 0.55), power.itemsForRates(0.5, 0.6)]).toEqual([1562, 385])
  expect([power.itemsForNonInferiority(0.1, 0.05), power.itemsForNonInferiority(0.2, 0.05)]).toEqual([248, 495])
  expect(power.effectiveItems(200, 8, 0.3)).toBeCloseTo(64.5, 1)
  expect(power.smallestMean(0.35, 385)).toBeCloseTo(0.05, 3)
  expect(power.smallestPairedRate(0.2, 626)).toBeCloseTo(0.05, 3)
  expect(power.smallestPairedRate(0.2, 5)).toBeNull()
})
