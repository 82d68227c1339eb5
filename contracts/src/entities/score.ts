import { z } from 'zod'
import { Tier, Verification } from './common.ts'

export const Policy = z.enum(['thresholds', 'verified_first']).meta({ id: 'Policy' })
export type Policy = z.infer<typeof Policy>

export const CheckKind = z.enum(['test', 'build', 'lint'])
export type CheckKind = z.infer<typeof CheckKind>
/** `not_run` means that the command never started or was stopped; such a check is ignored. */
export const CheckResult = z.enum(['passed', 'failed', 'unclear', 'not_run'])
export type CheckResult = z.infer<typeof CheckResult>

/** The six metrics, each 0–1; `successRate` is null if no step has a known outcome. */
export const Metrics = z
  .object({
    successRate: z.number().nullable(),
    verification: z.number(),
    complexity: z.number(),
    length: z.number(),
    toolDiversity: z.number(),
    efficiency: z.number(),
  })
  .meta({ id: 'Metrics' })
export type Metrics = z.infer<typeof Metrics>

/** A check found in a session. `step` is its id, or its index in a steps file. */
export const VerificationCheck = z
  .object({
    step: z.string(),
    command: z.string(),
    kind: CheckKind,
    result: CheckResult,
    guessed: z.boolean().meta({ description: 'recognised by a keyword instead of a known tool' }),
    baseline: z.boolean().optional().meta({ description: 'true if it ran before the changes; such a check is ignored' }),
    why: z.string().meta({ description: 'what the result is based on: the exit status or the output' }),
    decides: z.boolean(),
  })
  .meta({ id: 'VerificationCheck' })
export type VerificationCheck = z.infer<typeof VerificationCheck>

/** How a metric was computed: a sentence with its figures, and the relevant steps. */
export const MetricEvidence = z
  .object({ metric: z.string(), sentence: z.string(), steps: z.array(z.object({ step: z.string(), why: z.string() })) })
  .meta({ id: 'MetricEvidence' })
export type MetricEvidence = z.infer<typeof MetricEvidence>

export const Score = z
  .object({
    metrics: Metrics,
    quality: z.number().nullable(),
    tier: Tier,
    unverified: z.boolean().meta({ description: 'the tier is gold without a passed verification' }),
    policy: Policy,
    tierByPolicy: z.object({ thresholds: Tier, verified_first: Tier }).meta({ description: 'the tier by each policy' }),
    scoreVersion: z.number().int(),
    verification: Verification,
    verifiedBy: z
      .string()
      .nullable()
      .meta({ description: 'what overrides the inferred verification; null if it is inferred from the commands' }),
    open: z.boolean().meta({ description: 'a check failed and no later check of at least the same scope passed; never gold' }),
    red: z.boolean().meta({ description: 'an unrecognised command reported failures and nothing passed later; never gold or silver' }),
    filesEditedAfter: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'files edited after the deciding check; null if there is no such check' }),
    tierReason: z.string(),
    evidence: z.array(VerificationCheck),
    evidenceCount: z
      .number()
      .int()
      .meta({ description: 'number of all checks; a stored score lists only the newest and the deciding ones' }),
    metricEvidence: z.array(MetricEvidence),
  })
  .meta({ id: 'Score' })
export type Score = z.infer<typeof Score>

/** The output of the command `score`, with exactly these keys. */
export const ScoreDocument = Score.pick({
  metrics: true,
  quality: true,
  tier: true,
  unverified: true,
  policy: true,
  scoreVersion: true,
  evidence: true,
})
export type ScoreDocument = z.infer<typeof ScoreDocument>

/** Gold by its metrics alone, without a passed verification. A tier set by the user is never unverified. */
export const isUnverified = (tier: Tier, verification: Verification): boolean => tier === 'gold' && verification !== 'passed'

/** Bounds of the `thresholds` policy; a tier needs both of its values. */
export const Thresholds = z
  .object({
    gold: z.object({ successRate: z.number().min(0).max(1), quality: z.number().min(0).max(1) }),
    silver: z.object({ successRate: z.number().min(0).max(1), quality: z.number().min(0).max(1) }),
    bronze: z.object({ successRate: z.number().min(0).max(1), quality: z.number().min(0).max(1) }),
  })
  .meta({ id: 'Thresholds' })
export type Thresholds = z.infer<typeof Thresholds>

/** How many traces would change tier. `moves` counts by from → to. */
export const RescorePreview = z
  .object({
    traces: z.number().int(),
    scored: z.number().int(),
    moving: z.number().int(),
    keptByUser: z.number().int(),
    outdated: z.number().int().meta({ description: 'traces with a score of an older scoreVersion' }),
    moves: z.array(z.object({ from: Tier, to: Tier, count: z.number().int(), examples: z.array(z.string()) })),
    byTier: z.object({ before: z.record(z.string(), z.number().int()), after: z.record(z.string(), z.number().int()) }),
  })
  .meta({ id: 'RescorePreview' })
export type RescorePreview = z.infer<typeof RescorePreview>
