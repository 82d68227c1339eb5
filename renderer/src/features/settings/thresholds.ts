import type { Thresholds } from '#contracts/entities/score.ts'
import { Settings } from '#contracts/entities/settings.ts'
import { isWritableBound } from '#contracts/score-figure.ts'

export type ThresholdTier = keyof Thresholds
export type Bound = keyof Thresholds['gold']
export const TIERS: readonly ThresholdTier[] = ['gold', 'silver', 'bronze']

export const DEFAULT_THRESHOLDS: Thresholds = Settings.parse({}).scoring.thresholds

/** Text as typed, so that "0." is possible while typing. */
export type Draft = Record<ThresholdTier, Record<Bound, string>>

export const draftOf = (thresholds: Thresholds): Draft => {
  const texts = (tier: ThresholdTier) => ({ successRate: String(thresholds[tier].successRate), quality: String(thresholds[tier].quality) })
  return { gold: texts('gold'), silver: texts('silver'), bronze: texts('bronze') }
}

/** The thresholds of the draft, or its error. A lower tier may not have higher thresholds than a higher one. */
export function readDraft(draft: Draft): { thresholds: Thresholds } | { error: string } {
  const numbers = {
    gold: { ...DEFAULT_THRESHOLDS.gold },
    silver: { ...DEFAULT_THRESHOLDS.silver },
    bronze: { ...DEFAULT_THRESHOLDS.bronze },
  }
  for (const tier of TIERS) {
    for (const bound of ['successRate', 'quality'] as const) {
      const text = draft[tier][bound].trim()
      const value = Number(text)
      if (text === '' || !Number.isFinite(value) || value < 0 || value > 1) {
        return { error: `The minimum ${bound === 'quality' ? 'quality' : 'success rate'} of ${tier} must be a number from 0 to 1.` }
      }
      if (!isWritableBound(value)) return { error: `${tier}: ${text} has more than two decimals. Use at most two.` }
      numbers[tier][bound] = value
    }
  }
  for (const [higher, lower] of [['gold', 'silver'] as const, ['silver', 'bronze'] as const]) {
    for (const bound of ['successRate', 'quality'] as const) {
      if (numbers[lower][bound] > numbers[higher][bound]) {
        return {
          error: `The minimum ${bound === 'quality' ? 'quality' : 'success rate'} of ${lower} must not be above that of ${higher}.`,
        }
      }
    }
  }
  return { thresholds: numbers }
}

export const sameThresholds = (a: Thresholds, b: Thresholds): boolean =>
  TIERS.every((tier) => a[tier].successRate === b[tier].successRate && a[tier].quality === b[tier].quality)
