import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wilson } from './wilson.ts'

describe('Wilson interval of a pass rate', () => {
  it.each([
    [0, 10, 0, 0.277533],
    [7, 10, 0.396778, 0.892209],
    [10, 10, 0.722467, 1],
    [85, 100, 0.767164, 0.90694],
    [132, 164, 0.737542, 0.858259],
  ])('of %i of %i', (passed, n, low, high) => {
    const interval = wilson(passed, n)!
    expect(interval.low).toBeCloseTo(low, 6)
    expect(interval.high).toBeCloseTo(high, 6)
  })

  it('contains the rate, and the interval of the failures mirrors it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (n, random) => {
        const passed = random % (n + 1)
        const { low, high } = wilson(passed, n)!
        const other = wilson(n - passed, n)!
        expect(low).toBeLessThanOrEqual(passed / n)
        expect(high).toBeGreaterThanOrEqual(passed / n)
        expect(other.low).toBeCloseTo(1 - high, 9)
      }),
    )
  })
})
