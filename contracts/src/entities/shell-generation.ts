import { z } from 'zod'
import { Budget } from './augment.ts'
import { Instant, Refusal } from './common.ts'
import { RolloutEndpoint } from './rollout.ts'
import { ShellSplit } from './shell-task.ts'

const Count = z.number().int().min(0).max(100_000)

/** How many tasks are wanted of each difficulty. */
export const ShellTargets = z
  .object({ '1': Count.default(0), '2': Count.default(0), '3': Count.default(0), '4': Count.default(0) })
  .meta({ id: 'ShellTargets' })
export type ShellTargets = z.infer<typeof ShellTargets>

/** New shell tasks from a model: what is asked for. */
export const ShellGenerationRequest = z
  .object({
    endpoint: RolloutEndpoint.meta({ description: 'of the model that writes tasks' }),
    solver: RolloutEndpoint.nullable().default(null).meta({ description: 'of the model that tries them; null: the same' }),
    seeds: ShellSplit.default('starter').meta({ description: 'examples are pairs of these' }),
    split: ShellSplit.default('generated').meta({ description: 'where new tasks go; not held out' }),
    targets: ShellTargets.prefault({}),
    rollouts: z.number().int().min(1).max(64).default(4).meta({ description: 'tries at each task' }),
    threshold: z.number().min(0).max(1).default(0.5).meta({ description: 'share of them that must solve it' }),
    turns: z.number().int().min(1).max(200).default(15).meta({ description: 'of a try' }),
    tries: z.number().int().min(1).max(10).default(3).meta({ description: 'requests for a task until an answer can be read' }),
    temperature: z.number().min(0).max(2).default(1),
    budget: Budget.default({}).meta({ description: 'for all requests; without it nothing limits them' }),
    concurrency: z.number().int().min(1).max(64).default(4),
    seed: z.number().int().min(0).default(0),
  })
  .meta({ id: 'ShellGenerationRequest' })
export type ShellGenerationRequest = z.infer<typeof ShellGenerationRequest>

const Tokens = z.object({ input: z.number().int(), output: z.number().int() })

/** What a generation would be. Nothing was sent for it; tokens are estimates. */
export const ShellGenerationPlan = z
  .object({
    model: z.string().nullable().meta({ description: 'null: the only one that the endpoint serves' }),
    payer: z.string(),
    solver: z.object({ model: z.string().nullable(), payer: z.string() }),
    wanted: z.number().int(),
    tokens: Tokens.meta({ description: 'if one of two tasks is kept' }),
    costUsd: z.number().nullable().meta({ description: 'null: the price is not known' }),
    prompts: z.array(z.object({ difficulty: z.number().int(), system: z.string(), prompt: z.string() })).meta({
      description: 'the exact text of the first request of each difficulty',
    }),
    refusals: z.array(Refusal),
  })
  .meta({ id: 'ShellGenerationPlan' })
export type ShellGenerationPlan = z.infer<typeof ShellGenerationPlan>

const Reasons = z.array(z.object({ reason: z.string(), count: z.number().int() }))

export const ShellGeneration = z
  .object({
    id: z.string(),
    state: z.enum(['running', 'completed', 'cancelled', 'budget', 'failed', 'interrupted']).meta({
      description: 'all but running and completed can be resumed; what was answered is not asked again',
    }),
    message: z.string().nullable(),
    request: ShellGenerationRequest,
    kept: ShellTargets.meta({ description: 'tasks that were stored' }),
    made: z.number().int().meta({ description: 'candidates' }),
    rejected: Reasons,
    spent: z.object({ tokens: z.number().int(), usd: z.number().nullable().meta({ description: 'null: no price' }) }),
    createdAt: Instant,
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'ShellGeneration' })
export type ShellGeneration = z.infer<typeof ShellGeneration>

const Shares = z.record(z.string(), z.number().int())

/** How balanced and how different tasks are. */
export const ShellDiversity = z
  .object({
    tasks: z.number().int(),
    difficulty: Shares,
    tool: Shares.meta({ description: 'tasks whose reference solution runs it, or whose check where there is none' }),
    pathRoot: Shares.meta({ description: 'tasks that name a path there' }),
    check: Shares.meta({ description: 'tasks whose check does this' }),
    near: z.number().int().meta({ description: 'tasks that are nearly the same as another one of them' }),
    nearRate: z.number().nullable(),
  })
  .meta({ id: 'ShellDiversity' })
export type ShellDiversity = z.infer<typeof ShellDiversity>
