import { expect, test } from 'vitest'
import { DEFAULT_THRESHOLDS, draftOf, readDraft, sameThresholds } from './thresholds.ts'
import { readPrice } from './prices.tsx'
import { FEATURES } from '#renderer/app/features.ts'
import { findSettings, settingsPageOf } from '#renderer/app/settings-pages.ts'
import { diskShares } from './disk.ts'

const draft = draftOf(DEFAULT_THRESHOLDS)

test('an unchanged draft gives the same thresholds', () => {
  const parsed = readDraft(draft)
  expect('thresholds' in parsed && sameThresholds(parsed.thresholds, DEFAULT_THRESHOLDS)).toBe(true)
})

test.each(['', '-0.1', '1.01', 'x', '0,5'])('rejects "%s" as a threshold', (text) => {
  expect(readDraft({ ...draft, gold: { ...draft.gold, quality: text } })).toEqual({
    error: 'The minimum quality of gold must be a number from 0 to 1.',
  })
})

test('rejects a lower tier with a higher threshold than the tier above it', () => {
  expect(readDraft({ ...draft, silver: { ...draft.silver, quality: '0.9' } })).toEqual({
    error: 'The minimum quality of silver must not be above that of gold.',
  })
})

test('a price needs a model and two numbers', () => {
  expect(readPrice('glm-5', { inputPerMTok: '0.6', outputPerMTok: '2.2', cacheReadPerMTok: '' })).toEqual({
    price: { model: 'glm-5', inputPerMTok: 0.6, outputPerMTok: 2.2 },
  })
  expect(readPrice('glm-5', { outputPerMTok: '2' })).toHaveProperty('error')
  expect(readPrice('glm-5', { inputPerMTok: '-1', outputPerMTok: '2' })).toHaveProperty('error')
  expect(readPrice(' ', { inputPerMTok: '1', outputPerMTok: '2' })).toHaveProperty('error')
})

test('finds settings pages by their search words, and opens the first page for an unknown section', () => {
  expect(findSettings(FEATURES, 'dark').map(({ id }) => id)).toEqual(['appearance'])
  expect(findSettings(FEATURES, 'no such thing')).toEqual([])
  expect(settingsPageOf(FEATURES, 'storage')?.id).toBe('storage')
  expect(settingsPageOf(FEATURES, 'nonsense')?.id).toBe('capture')
})

test('the parts of the disk add up to the disk', () => {
  const shares = diskShares(180, { totalBytes: 1000, freeBytes: 400, usedByDataDirBytes: 300 })
  expect(shares.map(({ value }) => value)).toEqual([180, 120, 300, 400])
})
