import type { Tier } from '#contracts/entities/common.ts'
import type { Policy, Thresholds } from '#contracts/entities/score.ts'
import { Settings } from '#contracts/entities/settings.ts'
import { formatScore, reaches } from '#contracts/score-figure.ts'
import type { VerificationState } from './verification/state.ts'

export interface TierInput {
  successRate: number | null
  quality: number | null
  verification: Pick<VerificationState, 'state' | 'decidedBy' | 'open' | 'red' | 'override'>
}

interface TierDecision {
  tier: Tier
  reason: string
}

const DEFAULT_THRESHOLDS: Thresholds = Settings.parse({}).scoring.thresholds

const RANKED = ['gold', 'silver', 'bronze'] as const
const NOT_ENOUGH = 'not enough evidence: no step has a known outcome'

/** The tier by a policy, with the reason in words. */
export function tierOf(policy: Policy, input: TierInput, thresholds: Thresholds = DEFAULT_THRESHOLDS): TierDecision {
  const decision = policy === 'thresholds' ? byThresholds(input, thresholds) : verifiedFirst(input)
  const verified = verificationWords(input.verification)
  return verified === null || decision.reason === verified ? decision : { tier: decision.tier, reason: `${decision.reason}; ${verified}` }
}

function byThresholds({ successRate, quality, verification }: TierInput, thresholds: Thresholds): TierDecision {
  if (verification.state === 'failed') return failed(verification)
  if (successRate === null || quality === null) return { tier: 'pending', reason: NOT_ENOUGH }
  const figures = `success ${formatScore(successRate)} and quality ${formatScore(quality)}`
  const reached = RANKED.filter((rank) => reaches(successRate, thresholds[rank].successRate) && reaches(quality, thresholds[rank].quality))
  const tier = reached.find((rank) => RANKED.indexOf(rank) >= RANKED.indexOf(highestTier(verification)))
  if (tier === undefined) return { tier: 'failed', reason: `${figures} are below bronze` }
  return { tier, reason: tier === reached[0] ? `${figures} reach ${tier}` : `${figures} reach ${reached[0]}, limited to ${tier}` }
}

/** The best tier that the metrics can give. */
const highestTier = ({ open, red }: TierInput['verification']): (typeof RANKED)[number] => (red ? 'bronze' : open ? 'silver' : 'gold')

const PENDING_BELOW = 0.3
const GOLD = { successRate: 0.8, quality: 0.7 }

function verifiedFirst({ successRate, quality, verification }: TierInput): TierDecision {
  if (verification.state === 'failed') return failed(verification)
  const isCapped = verification.open || verification.red
  if (verification.state === 'passed' && !isCapped && (verification.override !== null || hasTestCheck(verification))) {
    return { tier: 'gold', reason: verificationWords(verification)! }
  }
  if (successRate === null || quality === null) return { tier: 'pending', reason: NOT_ENOUGH }
  if (!reaches(successRate, PENDING_BELOW))
    return { tier: 'failed', reason: `success ${formatScore(successRate)} is below ${formatScore(PENDING_BELOW)}` }
  const figures = `success ${formatScore(successRate)} and quality ${formatScore(quality)}`
  if (!reaches(quality, GOLD.quality) || !reaches(successRate, GOLD.successRate)) {
    return { tier: 'pending', reason: `${figures} do not reach gold, and no test passed` }
  }
  return isCapped
    ? { tier: 'pending', reason: `${figures} reach gold, but a failure is open` }
    : { tier: 'gold', reason: `${figures} reach gold` }
}

const failed = (verification: TierInput['verification']): TierDecision => ({ tier: 'failed', reason: verificationWords(verification)! })
const hasTestCheck = ({ decidedBy }: TierInput['verification']): boolean => decidedBy.some(({ kind }) => kind === 'test')

/** "tests passed", "build passed; no tests ran"; null without any check. */
function verificationWords(verification: TierInput['verification']): string | null {
  const { state, decidedBy, open, red, override } = verification
  if (override) return `${override.by}: ${state}`
  const checks = decidedBy.map(
    ({ kind, result }) => `${kind === 'test' ? 'tests' : kind} ${result === 'not_run' ? 'did not start' : result}`,
  )
  const words = [
    checks.join(', '),
    checks.length > 0 && !hasTestCheck(verification) && 'no tests ran',
    open && 'a check failed and no later check of the same scope passed',
    red && 'an unrecognised command reported failures',
  ].filter(Boolean)
  return words.length === 0 ? null : words.join('; ')
}
