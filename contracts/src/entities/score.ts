import { z } from 'zod'
import { Tier, Verification } from './common.ts'

export const Policy = z.enum(['thresholds', 'verified_first']).meta({ id: 'Policy' })
export type Policy = z.infer<typeof Policy>

export const RunKind = z.enum(['test', 'build', 'lint'])
export const RunResult = z.enum(['passed', 'failed', 'unclear'])

/** The six metrics, each 0–1; successRate is null when no step has a known outcome. */
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

/** A verification run that was found, by step (id, or index in a steps file), command, kind, result. */
export const VerificationRun = z
  .object({
    step: z.string(),
    command: z.string(),
    kind: RunKind,
    result: RunResult,
    why: z.string().meta({ description: 'what decided: the exit status, or the words of the output' }),
    decides: z.boolean(),
    passedCount: z.number().int().nullable(),
    failedCount: z.number().int().nullable(),
    editsAfter: z.number().int().meta({ description: 'files edited after this run' }),
  })
  .meta({ id: 'VerificationRun' })
export type VerificationRun = z.infer<typeof VerificationRun>

/** What a metric was computed from: a sentence with its figures, and the steps behind it. */
export const MetricEvidence = z
  .object({ metric: z.string(), sentence: z.string(), steps: z.array(z.object({ step: z.string(), why: z.string() })) })
  .meta({ id: 'MetricEvidence' })
export type MetricEvidence = z.infer<typeof MetricEvidence>

export const Score = z
  .object({
    metrics: Metrics,
    quality: z.number().nullable(),
    tier: Tier,
    policy: Policy,
    tierByPolicy: z.object({ thresholds: Tier, verified_first: Tier }).meta({ description: 'what each policy says of these metrics' }),
    scoreVersion: z.number().int(),
    verification: Verification,
    tierReason: z.string(),
    evidence: z.array(VerificationRun),
    evidenceCount: z.number().int().meta({ description: 'all runs; of very many a stored score lists the newest and those that decide' }),
    metricEvidence: z.array(MetricEvidence),
  })
  .meta({ id: 'Score' })
export type Score = z.infer<typeof Score>

/** What the command `score` prints: exactly these keys, `quality` also when it is null. */
export const ScoreDocument = Score.pick({ metrics: true, quality: true, tier: true, policy: true, scoreVersion: true, evidence: true })
export type ScoreDocument = z.infer<typeof ScoreDocument>

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
    outdated: z.number().int().meta({ description: 'traces whose score is of an older scoreVersion' }),
    moves: z.array(z.object({ from: Tier, to: Tier, count: z.number().int(), examples: z.array(z.string()) })),
    byTier: z.object({ before: z.record(z.string(), z.number().int()), after: z.record(z.string(), z.number().int()) }),
  })
  .meta({ id: 'RescorePreview' })
export type RescorePreview = z.infer<typeof RescorePreview>
