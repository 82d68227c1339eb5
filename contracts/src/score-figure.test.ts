import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatScore, isWritableBound, reaches } from './score-figure.ts'

/** Anything from 0 to 1, with many values right beside a bound. */
const score = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.tuple(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 1e-17, -1e-12, -1e-9, -2e-9, 1e-9, -1e-5)).map(([n, off]) => n / 100 + off),
)
const bound = fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100)

test('what is written is at least a bound exactly when the value reaches it', () => {
  fc.assert(
    fc.property(score, bound, (value, at) => {
      expect(Number(formatScore(value)) >= at).toBe(reaches(value, at))
    }),
    { numRuns: 5000 },
  )
})

test.each([
  [0.7499, '0.74'],
  [0.75 - 1e-12, '0.75'],
  [0.3 * 0.9 + 0.25 * 0.5 + 0.15 + 0.1 + 0.1 * 0.75 + 0.03, '0.75'],
  [0.29, '0.29'],
  [1, '1.00'],
  [0, '0.00'],
])('%s is written %s', (value, text) => {
  expect(formatScore(value)).toBe(text)
})

test('a bound with more than two decimals could not be shown', () => {
  for (let hundredths = 0; hundredths <= 100; hundredths += 1) expect(isWritableBound(hundredths / 100)).toBe(true)
  expect(isWritableBound(0.755)).toBe(false)
})
