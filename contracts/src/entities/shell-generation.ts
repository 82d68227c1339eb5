import { z } from 'zod'
import { Budget } from './augment.ts'
import { Instant, Refusal } from './common.ts'
import { RolloutEndpoint } from './rollout.ts'
import { ShellSplit } from './shell-task.ts'

const Count = z.number().int().min(0).max(100_000)

/** How many tasks of each difficulty to generate. */
export const ShellTargets = z
  .object({ '1': Count.default(0), '2': Count.default(0), '3': Count.default(0), '4': Count.default(0) })
  .meta({ id: 'ShellTargets' })
export type ShellTargets = z.infer<typeof ShellTargets>

/** A request for new shell tasks from a model. */
export const ShellGenerationRequest = z
  .object({
    endpoint: RolloutEndpoint.meta({ description: 'endpoint of the model that writes tasks' }),
    solver: RolloutEndpoint.nullable().default(null).meta({ description: 'endpoint of the model that tries them; null means the same' }),
    seeds: ShellSplit.default('starter').meta({ description: 'the split that pairs of examples are taken from' }),
    split: ShellSplit.default('generated').meta({ description: 'the split for new tasks, which must not be held out' }),
    targets: ShellTargets.prefault({}),
    rollouts: z.number().int().min(1).max(64).default(4).meta({ description: 'tries at each task' }),
    threshold: z.number().min(0).max(1).default(0.5).meta({ description: 'share of the tries that must solve the task' }),
    turns: z.number().int().min(1).max(200).default(15).meta({ description: 'limit for each try' }),
    tries: z.number().int().min(1).max(10).default(3).meta({ description: 'requests per task until an answer can be parsed' }),
    temperature: z.number().min(0).max(2).default(1),
    budget: Budget.default({}).meta({ description: 'limit for all requests together; default: no limit' }),
    concurrency: z.number().int().min(1).max(64).default(4),
    seed: z.number().int().min(0).default(0),
  })
  .meta({ id: 'ShellGenerationRequest' })
export type ShellGenerationRequest = z.infer<typeof ShellGenerationRequest>

const Tokens = z.object({ input: z.number().int(), output: z.number().int() })

/** A preview of a generation. Nothing was sent for it; tokens are estimates. */
export const ShellGenerationPlan = z
  .object({
    model: z.string().nullable().meta({ description: "null means the endpoint's only model" }),
    payer: z.string(),
    solver: z.object({ model: z.string().nullable(), payer: z.string() }),
    wanted: z.number().int(),
    tokens: Tokens.meta({ description: 'if half of the tasks are kept' }),
    costUsd: z.number().nullable().meta({ description: 'null if the price is unknown' }),
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
      description: 'all states except running and completed can be resumed; answered requests are not sent again',
    }),
    message: z.string().nullable(),
    request: ShellGenerationRequest,
    kept: ShellTargets.meta({ description: 'stored tasks' }),
    made: z.number().int().meta({ description: 'number of candidates' }),
    rejected: Reasons,
    spent: z.object({ tokens: z.number().int(), usd: z.number().nullable().meta({ description: 'null if the price is unknown' }) }),
    createdAt: Instant,
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'ShellGeneration' })
export type ShellGeneration = z.infer<typeof ShellGeneration>

const Shares = z.record(z.string(), z.number().int())

/** How balanced and how varied tasks are. */
export const ShellDiversity = z
  .object({
    tasks: z.number().int(),
    difficulty: Shares,
    tool: Shares.meta({ description: 'tasks whose reference solution runs the tool, or whose check does if they have no solution' }),
    pathRoot: Shares.meta({ description: 'tasks that mention a path in the folder' }),
    check: Shares.meta({ description: 'tasks by the kind of their check' }),
    near: z.number().int().meta({ description: 'tasks that are nearly the same as another' }),
    nearRate: z.number().nullable(),
  })
  .meta({ id: 'ShellDiversity' })
export type ShellDiversity = z.infer<typeof ShellDiversity>
