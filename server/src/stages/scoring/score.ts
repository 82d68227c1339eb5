import type { Verification } from '#contracts/entities/common.ts'
import {
  isUnverified,
  type MetricEvidence,
  type Policy,
  type Score,
  type Thresholds,
  type VerificationCheck,
} from '#contracts/entities/score.ts'
import type { StepFacts } from './facts.ts'
import { metricEvidence } from './metric-evidence.ts'
import { figures, metricsOf, qualityOf, type Metrics } from './metrics.ts'
import { tierOf } from './tiers.ts'
import { inferVerification, type VerificationOverride, type VerificationState } from './verification/state.ts'
import { SCORE_VERSION } from './version.ts'

/** Everything computed from a trace's steps. `withTier` adds the tier, which also depends on the settings. */
export interface TraceScore {
  scoreVersion: number
  metrics: Metrics
  quality: number | null
  verification: Verification
  decidedBy: VerificationState['decidedBy']
  open: boolean
  red: boolean
  filesEditedAfter: number | null
  override: VerificationOverride | null
  evidence: VerificationCheck[]
  metricEvidence: MetricEvidence[]
}

/** Computes the score of a trace from the facts of its steps, in order. */
export function scoreFacts(facts: readonly StepFacts[], override: VerificationOverride | null = null): TraceScore {
  const verification = inferVerification(facts, override)
  const sum = figures(facts, verification.redThenGreen)
  const metrics = metricsOf(sum, verification.state)
  return {
    scoreVersion: SCORE_VERSION,
    metrics,
    quality: qualityOf(metrics),
    verification: verification.state,
    decidedBy: verification.decidedBy,
    open: verification.open,
    red: verification.red,
    filesEditedAfter: verification.filesEditedAfter,
    override,
    evidence: verification.evidence,
    metricEvidence: metricEvidence(facts, sum, metrics, verification),
  }
}

export type TierFacts = Pick<TraceScore, 'quality' | 'verification' | 'decidedBy' | 'open' | 'red' | 'override'> & {
  metrics: Pick<Metrics, 'successRate'>
}

/** The tier of a score by policy and thresholds. */
export function tierOfScore(score: TierFacts, policy: Policy, thresholds?: Thresholds) {
  const { decidedBy, open, red, override } = score
  return tierOf(
    policy,
    {
      successRate: score.metrics.successRate,
      quality: score.quality,
      verification: { state: score.verification, decidedBy, open, red, override },
    },
    thresholds,
  )
}

/** The score as in the API. */
export function withTier(score: TraceScore, policy: Policy, thresholds?: Thresholds): Score {
  const { metrics, quality, verification, open, red, filesEditedAfter, scoreVersion, evidence } = score
  const byPolicy = {
    thresholds: tierOfScore(score, 'thresholds', thresholds),
    verified_first: tierOfScore(score, 'verified_first', thresholds),
  }
  return {
    metrics,
    quality,
    tier: byPolicy[policy].tier,
    unverified: isUnverified(byPolicy[policy].tier, verification),
    policy,
    tierByPolicy: { thresholds: byPolicy.thresholds.tier, verified_first: byPolicy.verified_first.tier },
    scoreVersion,
    verification,
    verifiedBy: score.override?.by ?? null,
    open,
    red,
    filesEditedAfter,
    tierReason: byPolicy[policy].reason,
    evidence,
    evidenceCount: evidence.length,
    metricEvidence: score.metricEvidence,
  }
}
