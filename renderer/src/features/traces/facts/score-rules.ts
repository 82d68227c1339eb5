import type { Score, Thresholds } from '#contracts/entities/score.ts'
import type { Tier } from '#contracts/entities/common.ts'
import { reaches } from '#contracts/score-figure.ts'

export type MetricName = keyof Score['metrics']

/** Weights and words of the six metrics (their sum of weights is 1); the formulas are the server's. */
export const METRICS: readonly { name: MetricName; label: string; weight: number; meaning: string }[] = [
  { name: 'successRate', label: 'Success', weight: 0.3, meaning: 'calls that succeeded, of those with a known outcome' },
  { name: 'verification', label: 'Verification', weight: 0.25, meaning: 'passed 1, none 0.5, unclear 0.3, failed 0' },
  { name: 'complexity', label: 'Complexity', weight: 0.15, meaning: 'different tools, command patterns and shell structure' },
  { name: 'length', label: 'Length', weight: 0.1, meaning: 'best at 10 to 20 calls' },
  { name: 'toolDiversity', label: 'Tool diversity', weight: 0.1, meaning: 'different tools; four or more are full' },
  { name: 'efficiency', label: 'Efficiency', weight: 0.1, meaning: 'recovery after failures, meaningful outputs, few repeats' },
]

/** The next bound above a value, or that of the highest tier: where the bar's tick stands. Only these two are held against bounds. */
export function boundFor(name: 'successRate' | 'quality', value: number | null, thresholds: Thresholds): { tier: Tier; at: number } {
  const ladder = [
    { tier: 'bronze', at: thresholds.bronze[name] },
    { tier: 'silver', at: thresholds.silver[name] },
    { tier: 'gold', at: thresholds.gold[name] },
  ] as const
  return ladder.find(({ at }) => value === null || !reaches(value, at)) ?? ladder[2]
}

/** What a metric adds to the quality. */
export const contribution = (value: number | null, weight: number): number | null => (value === null ? null : value * weight)
