import { z } from 'zod'
import { Id, Instant } from './common.ts'
import { ReviewState } from './example.ts'
import { ProviderId } from './provider.ts'

/** Examples of the review table: named ones, or all of a state. Variants and rejected ones are passed over. */
export const AugmentSelection = z
  .union([
    z.object({ ids: z.array(Id).min(1).max(10_000) }),
    z.object({
      filter: z.object({
        state: z.array(ReviewState).min(1).default(['accepted']),
        trace: z.string().max(40).optional(),
        repo: z.string().max(400).optional(),
      }),
    }),
  ])
  .meta({ id: 'AugmentSelection' })
export type AugmentSelection = z.infer<typeof AugmentSelection>

/** How many new tasks a preset asks for. */
export const SYNTHETIC_PRESETS = { quick_test: 100, balanced: 500, production: 2000 } as const

/**
 * What to make of examples. `tasks`: new requests like theirs, without a solution. `variants`: their own requests in
 * other words; the solutions stay.
 */
export const AugmentPlan = z
  .object({
    make: z.enum(['tasks', 'variants']).default('tasks'),
    source: AugmentSelection.default({ filter: { state: ['accepted'] } }),
    provider: ProviderId.optional().meta({ description: 'the one of the settings unless named' }),
    model: z.string().trim().min(1).max(200).optional(),
    preset: z.enum(['quick_test', 'balanced', 'production']).optional().meta({ description: 'of tasks: 100, 500 or 2,000' }),
    count: z.number().int().min(1).max(10_000).optional().meta({ description: 'of tasks, instead of a preset; default 100' }),
    variants: z.number().int().min(1).max(10).default(2).meta({ description: 'of variants: an example' }),
    maxOutputTokens: z.number().int().min(64).max(8192).default(1024).meta({ description: 'an answer' }),
  })
  .meta({ id: 'AugmentPlan' })
export type AugmentPlan = z.infer<typeof AugmentPlan>

/** The most that may be spent: in USD where the price of the model is known, in tokens (read and written together) everywhere. */
export const Budget = z.object({ usd: z.number().positive().max(100_000).optional(), tokens: z.number().int().positive().optional() })
export type Budget = z.infer<typeof Budget>

const Reasons = z.array(z.object({ reason: z.string(), count: z.number().int() }))

/** Nothing was sent for it. Tokens are estimates (another tokenizer); `max` is the bound by which a budget is kept. */
export const AugmentEstimate = z
  .object({
    provider: ProviderId,
    model: z.string(),
    examples: z.number().int(),
    requests: z.number().int().meta({ description: 'tasks or variants to be asked for' }),
    cached: z.number().int().meta({ description: 'of them answered before: free' }),
    passedOver: Reasons,
    tokens: z.object({ input: z.number().int(), output: z.number().int(), exact: z.literal(false) }),
    costUsd: z.number().nullable().meta({ description: 'null: the price of the model is not known' }),
    max: z.object({ tokens: z.number().int(), costUsd: z.number().nullable() }),
    budget: z.enum(['usd', 'tokens']).meta({ description: 'which cap a start asks for' }),
    samples: z
      .array(z.object({ exampleId: z.string(), variant: z.number().int(), url: z.string(), body: z.string() }))
      .meta({ description: 'requests exactly as they would be sent, cleared by the privacy policy; headers hold the key beside' }),
    policyHash: z.string(),
  })
  .meta({ id: 'AugmentEstimate' })
export type AugmentEstimate = z.infer<typeof AugmentEstimate>

/** A run and how far it came. It can be gone on with after a crash; what was answered is never asked again. */
export const AugmentRun = z
  .object({
    id: z.string(),
    jobId: z.string(),
    state: z.enum(['running', 'completed', 'budget', 'failed', 'cancelled', 'interrupted']),
    plan: AugmentPlan,
    provider: ProviderId,
    model: z.string(),
    budget: Budget,
    total: z.number().int(),
    done: z.number().int(),
    kept: z.number().int(),
    cached: z.number().int(),
    rejected: Reasons.meta({ description: 'answers that were dropped' }),
    failed: Reasons.meta({ description: 'requests without a usable answer; nothing of them is stored' }),
    tokens: z.object({ input: z.number().int(), output: z.number().int() }),
    spentUsd: z.number().nullable().meta({ description: 'with what may have been charged for requests that broke off; null: no price' }),
    unsettledTokens: z.number().int().meta({ description: 'reserved for requests that broke off: they may have been charged' }),
    message: z.string().nullable(),
    createdAt: Instant,
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'AugmentRun' })
export type AugmentRun = z.infer<typeof AugmentRun>

/** Long work of the factory, under one shape. Fields that a kind of work does not have are null. */
export const FactoryJob = z
  .object({
    id: z.string(),
    kind: z.string(),
    state: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
    done: z.number(),
    total: z.number().nullable(),
    kept: z.number().int().nullable(),
    rejected: Reasons,
    costUsd: z.number().nullable(),
    etaSec: z.number().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    output: z.unknown(),
  })
  .meta({ id: 'FactoryJob' })
export type FactoryJob = z.infer<typeof FactoryJob>
