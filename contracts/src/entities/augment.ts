import { z } from 'zod'
import { Id, Instant } from './common.ts'
import { ReviewState } from './example.ts'
import { ProviderId } from './provider.ts'
import { notAPlace } from '../places.ts'

/** Selects examples of the review table by id or filter. Variants and rejected examples are skipped. */
export const AugmentSelection = z
  .union([
    z.object({ ids: z.array(Id).min(1).max(10_000) }),
    z.object({
      filter: z.object({
        state: z.array(ReviewState).min(1).default(['accepted']),
        trace: z.string().max(40).optional(),
        repo: notAPlace(z.string().max(400), 'compared with the repositories of sessions').optional(),
      }),
    }),
  ])
  .meta({ id: 'AugmentSelection' })
export type AugmentSelection = z.infer<typeof AugmentSelection>

/** How many new tasks a preset generates. */
export const SYNTHETIC_PRESETS = { quick_test: 100, balanced: 500, production: 2000 } as const

/**
 * What to generate from examples: `tasks` are new, similar requests without a solution; `variants` reword the request of an
 * example and keep its solution.
 */
export const AugmentPlan = z
  .object({
    make: z.enum(['tasks', 'variants']).default('tasks'),
    source: AugmentSelection.default({ filter: { state: ['accepted'] } }),
    provider: ProviderId.optional().meta({ description: 'default: the provider in the settings' }),
    model: z.string().trim().min(1).max(200).optional(),
    preset: z.enum(['quick_test', 'balanced', 'production']).optional().meta({ description: 'for tasks: 100, 500 or 2,000 of them' }),
    count: z.number().int().min(1).max(10_000).optional().meta({ description: 'number of tasks, instead of a preset; default 100' }),
    variants: z.number().int().min(1).max(10).default(2).meta({ description: 'number of variants per example' }),
    maxOutputTokens: z.number().int().min(64).max(8192).default(1024).meta({ description: 'limit for each answer' }),
  })
  .meta({ id: 'AugmentPlan' })
export type AugmentPlan = z.infer<typeof AugmentPlan>

/** Spending limits: `usd` if the price of the model is known, and `tokens` (input and output together). */
export const Budget = z.object({ usd: z.number().positive().max(100_000).optional(), tokens: z.number().int().positive().optional() })
export type Budget = z.infer<typeof Budget>

const Reasons = z.array(z.object({ reason: z.string(), count: z.number().int() }))

/** An estimate made without sending anything. Tokens are counted with another tokenizer; `max` is an upper bound for the budget. */
export const AugmentEstimate = z
  .object({
    provider: ProviderId,
    model: z.string(),
    examples: z.number().int(),
    requests: z.number().int().meta({ description: 'tasks or variants to request' }),
    cached: z.number().int().meta({ description: 'requests that were answered before, so they are free' }),
    passedOver: Reasons,
    tokens: z.object({ input: z.number().int(), output: z.number().int(), exact: z.literal(false) }),
    costUsd: z.number().nullable().meta({ description: 'null if the price of the model is unknown' }),
    max: z.object({ tokens: z.number().int(), costUsd: z.number().nullable() }),
    budget: z.enum(['usd', 'tokens']).meta({ description: 'which limit a start must set' }),
    samples: z
      .array(z.object({ exampleId: z.string(), variant: z.number().int(), url: z.string(), body: z.string() }))
      .meta({ description: 'requests exactly as they would be sent, cleared by the privacy policy, but without the header with the key' }),
    policyHash: z.string(),
  })
  .meta({ id: 'AugmentEstimate' })
export type AugmentEstimate = z.infer<typeof AugmentEstimate>

/** A run and its progress. It can be resumed after a crash; answered requests are not sent again. */
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
    failed: Reasons.meta({ description: 'requests without a usable answer, which are not stored' }),
    tokens: z.object({ input: z.number().int(), output: z.number().int() }),
    spentUsd: z
      .number()
      .nullable()
      .meta({ description: 'including possible charges for interrupted requests; null if the price is unknown' }),
    unsettledTokens: z.number().int().meta({ description: 'reserved for interrupted requests, which may have been charged' }),
    message: z.string().nullable(),
    createdAt: Instant,
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'AugmentRun' })
export type AugmentRun = z.infer<typeof AugmentRun>

/** Any long job of the factory. Fields that do not apply to a kind of job are null. */
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
