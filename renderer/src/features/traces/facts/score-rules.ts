import type { Policy, Score, Thresholds, VerificationCheck } from '#contracts/entities/score.ts'
import type { Tier } from '#contracts/entities/common.ts'
import { reaches } from '#contracts/score-figure.ts'
import { plural } from '#renderer/ui/format.ts'

export type MetricName = keyof Score['metrics']

/** Weights and words of the six metrics (their sum of weights is 1); the formulas are the server's. */
export const METRICS: readonly { name: MetricName; label: string; weight: number; meaning: string }[] = [
  { name: 'successRate', label: 'Success', weight: 0.3, meaning: 'share of calls with a known outcome that succeeded' },
  { name: 'verification', label: 'Verification', weight: 0.25, meaning: 'passed 1, none 0.5, unclear 0.3, failed 0' },
  { name: 'complexity', label: 'Complexity', weight: 0.15, meaning: 'distinct tools, command patterns and shell structure' },
  { name: 'length', label: 'Length', weight: 0.1, meaning: 'best at 10 to 20 calls' },
  { name: 'toolDiversity', label: 'Tool diversity', weight: 0.1, meaning: 'distinct tools; full score from 4' },
  { name: 'efficiency', label: 'Efficiency', weight: 0.1, meaning: 'recovered failures, meaningful outputs, few repeats' },
]

/** The next threshold above a value, or that of the highest tier: the position of the bar's tick. Only these two figures have thresholds. */
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

export const POLICY_WORDS: Record<Policy, string> = { thresholds: 'thresholds', verified_first: 'verified first' }

const KIND_WORDS: Record<VerificationCheck['kind'], string> = { test: 'Tests', build: 'Build', lint: 'Lint' }
const RESULT_WORDS: Record<VerificationCheck['result'], string> = {
  passed: 'passed',
  failed: 'failed',
  unclear: 'unclear',
  not_run: 'did not run',
}

/** "Tests passed (exit status 0). Deciding check; 2 files edited afterwards." */
export function checkSentence(
  { kind, result, why, guessed, baseline, decides }: VerificationCheck,
  filesEditedAfter: number | null,
): string {
  const details = [why, guessed && 'guessed from the name', baseline && 'before the changes'].filter(Boolean).join(', ')
  const deciding = decides ? ` Deciding check${filesEditedAfter ? `; ${plural(filesEditedAfter, 'file')} edited afterwards` : ''}.` : ''
  return `${KIND_WORDS[kind]} ${RESULT_WORDS[result]} (${details}).${deciding}`
}
