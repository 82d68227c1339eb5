import { expect, test } from 'vitest'
import { costOf, listPrices, modelsWithoutPrice, priceOf, responseCost, similarPrice } from './prices.ts'

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
  ['claude-opus-4@20250514', 15],
  ['claude-opus-4', 15],
  ['us.anthropic.claude-opus-4-20250514-v1:0', 15],
  ['arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-opus-4-1-20250805-v1:0', 15],
  ['claude-opus-4.1', 15],
  ['claude-opus-41', 15],
  ['anthropic/claude-sonnet-4', 3],
  ['claude-4-sonnet-20250514', 3],
  ['claude-4.5-sonnet', 3],
  ['claude-sonnet-4-5[1m]', 3],
  ['claude-sonnet-4-thinking', 3],
  ['databricks-claude-sonnet-4', 3],
  ['openrouter/anthropic/claude-3.7-sonnet:thinking', 3],
  ['claude-3-5-sonnet-v2@20241022', 3],
  ['anthropic/claude-3.5-haiku', 0.8],
  ['vertex_ai/claude-haiku-4-5@20251001', 1],
  ['global.anthropic.claude-opus-4-6-v1', 5],
  ['claude-opus-5-5', 4],
  ['claude-sonnet-5-20260601', 2],
  ['openai/gpt-5-codex', 1.25],
  ['gpt-5.1-2025-11-13', 1.25],
  ['models/gemini-2.5-pro-preview-05-06', 1.25],
])('%s costs %d USD per million tokens of input', (model, usd) => {
  expect(priceOf(model, [])?.inputPerMTok).toBe(usd)
})

test.each([
  ['claude-opus-4-2', 'claude-opus-5-5'],
  ['claude-opus-9', 'claude-opus-5-5'],
  ['claude-sonnet-5-1', 'claude-sonnet-5'],
  ['claude-sonnet-5-nano', null],
  ['gpt-9.9', 'gpt-5.5'],
  ['gpt-5.1-mega', null],
  ['claude-next', null],
  ['o9', null],
  ['__proto__', null],
])('%s has no price, and none of a cousin unless the user takes it', (model, similar) => {
  expect(priceOf(model, [])).toBeNull()
  expect(similarPrice(model)?.model ?? null).toBe(similar)
})

test('writes that last an hour, fast mode and web searches are billed', () => {
  const one = { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0 }
  const each = (model: string, more: object) => responseCost(model, { ...one, ...more }, priceOf(model, []))
  expect(each('claude-haiku-4-5', {})).toBeCloseTo(0.006, 9)
  expect(each('claude-haiku-4-5', { cacheWrite: 3000, cacheWrite1h: 2000 })).toBeCloseTo(0.006 + 0.00125 + 0.004, 9)
  expect(each('claude-haiku-4-5', { webSearches: 20 })).toBeCloseTo(0.206, 9)
  expect(each('claude-opus-4-6', { isFast: true })).toBeCloseTo(6 * 0.03, 9)
  expect(each('claude-opus-5', { isFast: true })).toBeCloseTo(2 * 0.03, 9)
  expect(each('claude-opus-4.6-fast', {})).toBeCloseTo(6 * 0.03, 9)
  expect(each('claude-haiku-4-5', { isFast: true })).toBeNull() // a price that nobody knows
  const fast = { ...one, fast: { ...one, input: 500, output: 0 } }
  expect(costOf({ 'claude-opus-5': fast }, [])).toBeCloseTo(0.03 + 0.0025, 9)
})

test('a model without usage needs no price', () => {
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  expect(costOf({ '<synthetic>': nothing, 'claude-haiku-4-5': usage }, [])).toBeCloseTo(1 * 1.7 + 5 * 0.1, 9)
})

test('a model is listed once, at the price of who makes it', () => {
  const { items } = listPrices()
  const models = items.map(({ model }) => model)
  expect(models.toSorted()).toEqual([...new Set(models)].toSorted())
  for (const price of items) expect(priceOf(price.model, [])).toMatchObject(price)
})
