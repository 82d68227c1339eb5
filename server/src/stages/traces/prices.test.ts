import { expect, test } from 'vitest'
import { costOf, priceOf, modelsWithoutPrice } from './prices.ts'

const usage = { input: 1_000_000, output: 100_000, cacheRead: 2_000_000, cacheWrite: 400_000 }

test('the longest prefix wins: Opus 4.5 is not charged as Opus 4', () => {
  expect(priceOf('claude-opus-4-5-20251101', [])?.inputPerMTok).toBe(5)
  expect(priceOf('claude-opus-4-20250514', [])?.inputPerMTok).toBe(15)
  expect(priceOf('claude-opus-4-1-20250805', [])?.outputPerMTok).toBe(75)
})

test("the user's own price wins over a longer built-in prefix", () => {
  expect(priceOf('claude-sonnet-4-5-20250929', [{ model: 'claude-', inputPerMTok: 1, outputPerMTok: 2 }])?.inputPerMTok).toBe(1)
})

test('writing to the cache costs 1.25 times the input, reading from it a tenth', () => {
  expect(costOf({ 'claude-sonnet-4-5': usage }, [])).toBeCloseTo(3 * (1 + 0.4 * 1.25 + 2 * 0.1) + 15 * 0.1, 9)
})

test('a model without a price, or a count that is unknown, makes the cost unknown', () => {
  expect(costOf({ 'claude-sonnet-4-5': usage, 'some-model': usage }, [])).toBeNull()
  expect(costOf({ 'claude-sonnet-4-5': { ...usage, output: null } }, [])).toBeNull()
  expect(costOf({}, [])).toBeNull()
  expect(modelsWithoutPrice(['some-model', 'claude-haiku-4-5', 'a-model'], [])).toEqual(['a-model', 'some-model'])
})

test("the user's cache price replaces the multiple of the input price", () => {
  const own = [{ model: 'claude-', inputPerMTok: 3, outputPerMTok: 15, cacheReadPerMTok: 0, cacheWritePerMTok: 6 }]
  expect(costOf({ 'claude-sonnet-4-5': usage }, own)).toBeCloseTo(3 + 0.4 * 6 + 15 * 0.1, 9)
})

test.each([
  ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5', 'listed'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5', 'listed'],
  ['anthropic/claude-opus-4.1', 'claude-opus-4-1', 'listed'],
  ['claude-haiku-4-5@20251001', 'claude-haiku-4-5', 'listed'],
  ['claude-opus-4-6', 'claude-opus-4-5', 'family'],
  ['claude-opus-5-20270101', 'claude-opus-4-5', 'family'],
  ['claude-opus-4-10', 'claude-opus-4-5', 'family'],
])('%s is priced as %s', (model, as, from) => {
  expect(priceOf(model, [])).toMatchObject({ model: as, from, asOf: '2025-11' })
})

test.each(['claude-opus-4-2', 'claude-2.1', 'claude-next', 'gpt-5', 'claude-mythos-5', '__proto__'])('%s has no price', (model) => {
  expect(priceOf(model, [])).toBeNull()
})

test('a model without usage needs no price', () => {
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  expect(costOf({ '<synthetic>': nothing, 'claude-haiku-4-5': usage }, [])).toBeCloseTo(1 * 1.7 + 5 * 0.1, 9)
})
