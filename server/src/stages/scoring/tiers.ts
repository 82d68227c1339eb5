import type { z } from 'zod'
import type { Tier } from '#contracts/entities/common.ts'
import type { Policy as PolicySchema, Thresholds } from '#contracts/entities/score.ts'
import { Settings } from '#contracts/entities/settings.ts'
import { formatScore, reaches } from '#contracts/score-figure.ts'
import type { VerificationState } from './verification.ts'

export type Policy = z.infer<typeof PolicySchema>

/** What a policy looks at. */
export interface TierInput {
  successRate: number | null
  quality: number | null
  verification: Pick<VerificationState, 'state' | 'decidedBy' | 'hasTestRun' | 'override'>
}

interface TierDecision {
  tier: Tier
  reason: string
}

/** As the settings have them until they are changed. */
const DEFAULT_THRESHOLDS: Thresholds = Settings.parse({}).scoring.thresholds

const RANKED = ['gold', 'silver', 'bronze'] as const
const NOT_ENOUGH = 'not enough evidence: no step has a known outcome'

/** The tier that a policy gives, with its reason in words. */
export function tierOf(policy: Policy, input: TierInput, thresholds: Thresholds = DEFAULT_THRESHOLDS): TierDecision {
  const decision = policy === 'thresholds' ? byThresholds(input, thresholds) : verifiedFirst(input)
  const verified = verificationWords(input.verification)
  return verified === null || decision.reason === verified ? decision : { tier: decision.tier, reason: `${decision.reason}; ${verified}` }
}

function byThresholds({ successRate, quality, verification }: TierInput, thresholds: Thresholds): TierDecision {
  if (verification.state === 'failed') return failed(verification)
  if (successRate === null || quality === null) return { tier: 'pending', reason: NOT_ENOUGH }
  const figures = `success ${formatScore(successRate)} and quality ${formatScore(quality)}`
  const tier = RANKED.find((rank) => reaches(successRate, thresholds[rank].successRate) && reaches(quality, thresholds[rank].quality))
  return tier ? { tier, reason: `${figures} reach ${tier}` } : { tier: 'failed', reason: `${figures} stay below bronze` }
}

const PENDING_BELOW = 0.3
const GOLD = { successRate: 0.8, quality: 0.7 }

function verifiedFirst({ successRate, quality, verification }: TierInput): TierDecision {
  if (verification.state === 'failed') return failed(verification)
  if (verification.state === 'passed' && (verification.override !== null || verification.hasTestRun)) {
    return { tier: 'gold', reason: verificationWords(verification)! }
  }
  if (successRate === null || quality === null) return { tier: 'pending', reason: NOT_ENOUGH }
  if (!reaches(successRate, PENDING_BELOW))
    return { tier: 'failed', reason: `success ${formatScore(successRate)} is below ${formatScore(PENDING_BELOW)}` }
  const figures = `success ${formatScore(successRate)} and quality ${formatScore(quality)}`
  return reaches(quality, GOLD.quality) && reaches(successRate, GOLD.successRate)
    ? { tier: 'gold', reason: `${figures} reach gold` }
    : { tier: 'pending', reason: `${figures} do not reach gold, and no test passed` }
}

const failed = (verification: TierInput['verification']): TierDecision => ({ tier: 'failed', reason: verificationWords(verification)! })

/** "tests passed", "build passed; no tests ran"; null without any run. */
function verificationWords({ state, decidedBy, hasTestRun, override }: TierInput['verification']): string | null {
  if (override) return `${override.by}: ${state}`
  if (decidedBy.length === 0) return null
  const said = decidedBy.map(({ kind, result }) => `${kind === 'test' ? 'tests' : kind} ${result}`).join(', ')
  return hasTestRun ? said : `${said}; no tests ran`
}
