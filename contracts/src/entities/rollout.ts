import { z } from 'zod'
import { Id, Instant, Refusal } from './common.ts'
import { Price } from './price.ts'
import { RedactionCounts, RedactionPlan } from './privacy.ts'
import { ProviderId } from './provider.ts'
import { ShellSplit, ShellTaskBody, ShellTaskId } from './shell-task.ts'
import { addressField } from '../places.ts'

export const RolloutSetId = Id.meta({ id: 'RolloutSetId' })

/** What a message of the model is: `command` is the command itself, `terminal` a call of the tool `terminal`. */
export const EpisodeForm = z.enum(['command', 'terminal']).meta({ id: 'EpisodeForm' })
export type EpisodeForm = z.infer<typeof EpisodeForm>

/** The model that plays the episodes. `model` is a model of the registry, served here while it is needed. */
export const RolloutEndpoint = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('url'),
      dialect: z.enum(['anthropic', 'openai']).default('openai'),
      baseUrl: addressField(z.string().min(1).max(2000), 'Send the turns of episodes to an address'),
      model: z.string().trim().max(200).optional(),
    }),
    z.object({ kind: z.literal('provider'), provider: ProviderId, model: z.string().trim().max(200).optional() }),
    z.object({ kind: z.literal('model'), model: z.string().max(100) }),
  ])
  .meta({ id: 'RolloutEndpoint' })
export type RolloutEndpoint = z.infer<typeof RolloutEndpoint>

export const EpisodeLimits = z
  .object({
    turns: z.number().int().min(1).max(1000).default(30),
    newTokens: z.number().int().min(1).default(512).meta({ description: 'limit for one message' }),
    contextTokens: z.number().int().min(1).nullable().default(32_000).meta({ description: 'counted by the endpoint' }),
    outputBytes: z
      .number()
      .int()
      .min(100)
      .max(1_048_576)
      .default(8192)
      .meta({ description: 'how much output of a command the model gets' }),
    commandSec: z.number().min(1).max(3600).default(45),
    checkSec: z.number().min(1).max(3600).default(120),
  })
  .meta({ id: 'EpisodeLimits' })
export type EpisodeLimits = z.infer<typeof EpisodeLimits>

/** How the reward of an episode is computed; stored with each set of rollouts. The defaults are `shell-v1`. */
export const RewardPolicy = z
  .object({
    name: z.string().min(1).max(100).default('shell-v1'),
    lengthMiddle: z.number().default(15).meta({ description: 'number of messages at which the length factor is one half' }),
    lengthWidth: z.number().positive().default(2.5),
    lengthShare: z
      .number()
      .min(0)
      .max(1)
      .default(0.4)
      .meta({ description: 'largest share that length can subtract from the success term' }),
    exitPenalty: z.number().default(0.1).meta({ description: 'multiplied by the share of messages with a non-zero exit code' }),
    failPenalty: z.number().default(0.01).meta({ description: 'per message, if the task is not solved' }),
  })
  .meta({ id: 'RewardPolicy' })
export type RewardPolicy = z.infer<typeof RewardPolicy>

/** The parts of a reward, by the names that trainers log. */
export const RewardTerms = z
  .object({
    length_factor: z.number(),
    success_term: z.number(),
    exit_penalty: z.number(),
    fail_penalty: z.number(),
    exit_error_rate: z.number(),
    success: z.number().int(),
    turns: z.number().int(),
    nonzero_exit_codes: z.number().int(),
  })
  .meta({ id: 'RewardTerms' })
export type RewardTerms = z.infer<typeof RewardTerms>

export const EpisodeStatus = z.enum(['ok', 'corrupted', 'error']).meta({
  id: 'EpisodeStatus',
  description: 'corrupted: a message was cut off at its length; error: endpoint, engine or check failed. Neither has a reward',
})
export type EpisodeStatus = z.infer<typeof EpisodeStatus>

/** The result of a task's check on an attempt, after its programs ended. */
export const EpisodeCheck = z
  .object({ exitCode: z.number().int(), timedOut: z.boolean(), outputTail: z.string(), ms: z.number() })
  .meta({ id: 'EpisodeCheck' })
export type EpisodeCheck = z.infer<typeof EpisodeCheck>

/** One attempt at one task. */
export const Episode = z
  .object({
    id: z.string(),
    taskId: ShellTaskId,
    group: z.number().int().meta({ description: 'number of the group, from 0; a group has all attempts at one task' }),
    attempt: z.number().int().meta({ description: 'number in its group, from 1' }),
    status: EpisodeStatus,
    how: z.enum(['exited', 'turns', 'tokens', 'cost', 'context', 'corrupted', 'error']).meta({ description: 'how it ended' }),
    success: z.boolean().nullable().meta({ description: 'null if the check had no result or was not run' }),
    turns: z.number().int(),
    nonzeroExitCodes: z.number().int(),
    codes: z.array(z.number().int()).meta({ description: 'the exit code of each turn, including the last' }),
    helpCalls: z.number().int(),
    timeouts: z.number().int(),
    truncatedOutputs: z.number().int(),
    reward: z.number().nullable(),
    terms: RewardTerms.nullable(),
    advantage: z.number().nullable().meta({ description: 'null if it has no reward or its group is not complete' }),
    inputTokens: z.number().int().nullable(),
    outputTokens: z.number().int().nullable(),
    costUsd: z.number().nullable(),
    startedAt: Instant,
    durationMs: z.number(),
    check: EpisodeCheck.nullable().meta({ description: 'null if it was not run' }),
    error: z.object({ boundary: z.enum(['endpoint', 'engine', 'setup', 'check', 'ours']), message: z.string() }).nullable(),
  })
  .meta({ id: 'Episode' })
export type Episode = z.infer<typeof Episode>

/** A message of the model, the command in it, and the output that the model got. */
export const EpisodeTurn = z
  .object({
    no: z.number().int().meta({ description: 'from 1' }),
    at: Instant,
    text: z.string().meta({ description: 'the message, unchanged' }),
    thinking: z.string(),
    command: z.string(),
    isReasoning: z.boolean().meta({ description: 'true if the command is only comments, so nothing was run' }),
    output: z.string(),
    exitCode: z.number().int(),
    timedOut: z.boolean(),
    truncated: z.boolean(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    costUsd: z.number().nullable(),
    modelMs: z.number(),
    commandMs: z.number(),
    logprobs: z
      .array(z.object({ token: z.string(), logprob: z.number() }))
      .optional()
      .meta({ description: 'of the tokens of the message, if the set asked for them and the endpoint returned them' }),
  })
  .meta({ id: 'EpisodeTurn' })
export type EpisodeTurn = z.infer<typeof EpisodeTurn>

/** A copy of a task from the time when the set of rollouts was created. */
export const RolloutTask = ShellTaskBody.pick({ task: true, setup: true, check: true, difficulty: true })
  .extend({ id: ShellTaskId, split: ShellSplit.nullable() })
  .meta({ id: 'RolloutTask' })
export type RolloutTask = z.infer<typeof RolloutTask>

/** Settings of a set of rollouts. */
export const RolloutSettings = z
  .object({
    endpoint: RolloutEndpoint,
    rolloutsPerTask: z.number().int().min(1).max(1000).default(8),
    concurrency: z
      .number()
      .int()
      .min(1)
      .max(256)
      .default(4)
      .meta({ description: 'episodes at once, limited by the number of sandbox places' }),
    limits: EpisodeLimits.prefault({}),
    policy: RewardPolicy.prefault({}),
    form: EpisodeForm.default('command'),
    seed: z
      .number()
      .int()
      .min(0)
      .max(2_147_483_647)
      .nullable()
      .default(null)
      .meta({ description: 'seed of the model if its API has one; increases by one with each episode' }),
    temperature: z.number().min(0).max(2).default(1),
    logprobs: z
      .boolean()
      .optional()
      .meta({ description: 'ask the endpoint for the log-probability of each token, for the exports to ART and TRL; default: false' }),
    redact: z.boolean().optional().meta({ description: 'replace secrets in the requests; default: if they leave this machine' }),
    maxCostUsd: z
      .number()
      .positive()
      .nullable()
      .default(null)
      .meta({ description: 'no episode starts after the total cost has reached this' }),
  })
  .meta({ id: 'RolloutSettings' })
export type RolloutSettings = z.infer<typeof RolloutSettings>

/** The tasks of a set: given rows, stored tasks by id, or stored tasks by filter. Exactly one of the three. */
export const RolloutSelection = z
  .object({
    tasks: z
      .array(
        RolloutTask.omit({ split: true }).extend({
          id: ShellTaskId.optional().meta({ description: 'default: derived from the content of the task' }),
        }),
      )
      .min(1)
      .max(100_000),
    taskIds: z.array(ShellTaskId).min(1).max(100_000),
    filter: z.object({
      split: ShellSplit.optional(),
      difficulty: z.array(z.number().int().min(1).max(4)).optional(),
      validOnly: z.boolean().optional(),
      limit: z.number().int().min(1).max(100_000).optional(),
    }),
  })
  .partial()
  .meta({ id: 'RolloutSelection' })
export type RolloutSelection = z.infer<typeof RolloutSelection>

export const RolloutState = z
  .enum(['running', 'done', 'cancelled', 'stopped'])
  .meta({ id: 'RolloutState', description: 'stopped: it could not continue; `detail` has the reason' })
export type RolloutState = z.infer<typeof RolloutState>

/** Attempts at tasks by one model under one policy. */
export const RolloutSet = z
  .object({
    id: RolloutSetId,
    name: z.string(),
    state: RolloutState,
    detail: z.string().nullable(),
    settings: RolloutSettings,
    model: z.string().nullable().meta({ description: "null means the endpoint's only model" }),
    tasks: z.number().int(),
    total: z.number().int().meta({ description: 'episodes' }),
    counts: z.object({
      ended: z.number().int(),
      ok: z.number().int(),
      solved: z.number().int(),
      corrupted: z.number().int(),
      error: z.number().int(),
    }),
    costUsd: z.number().nullable().meta({ description: 'null if the price is unknown or no request was sent' }),
    redacted: RedactionCounts,
    running: z
      .array(
        z.object({
          id: z.string(),
          taskId: ShellTaskId,
          group: z.number().int(),
          attempt: z.number().int(),
          turns: z.number().int(),
          sandboxId: z.string().nullable(),
        }),
      )
      .meta({ description: 'episodes running now' }),
    createdAt: Instant,
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'RolloutSet' })
export type RolloutSet = z.infer<typeof RolloutSet>

/** Shown before a set is started. */
export const RolloutPlan = z
  .object({
    tasks: z.number().int(),
    episodes: z.number().int(),
    payer: z.string().meta({ description: 'who pays for the model, as a sentence' }),
    privacy: z
      .string()
      .meta({ description: 'who gets the prompt and the files, and whether secrets in them are replaced first, as a sentence' }),
    redaction: RedactionPlan,
    model: z.string().nullable(),
    price: Price.pick({ inputPerMTok: true, outputPerMTok: true }).nullable(),
    mostOutputTokens: z.number().meta({ description: 'maximum, if every episode uses all turns and every message all tokens' }),
    isolation: z.string().nullable().meta({ description: 'the engine; null if this machine has none' }),
    places: z.number().int().meta({ description: 'how many sandboxes can run at once' }),
    refusals: z.array(Refusal).meta({ description: 'why it would not start' }),
  })
  .meta({ id: 'RolloutPlan' })
export type RolloutPlan = z.infer<typeof RolloutPlan>

/** The attempts at one task. */
export const RolloutGroup = z
  .object({
    group: z.number().int(),
    task: RolloutTask.pick({ id: true, task: true, difficulty: true }),
    attempts: z.array(Episode.pick({ id: true, attempt: true, status: true, success: true, turns: true, reward: true, advantage: true })),
    isComplete: z.boolean(),
    mean: z.number().nullable().meta({ description: 'mean reward; null if the group is not complete or has no rewards' }),
    std: z.number().nullable(),
    zeroVariance: z.boolean().nullable().meta({ description: 'true if all rewards are the same, so the group cannot be learned from' }),
  })
  .meta({ id: 'RolloutGroup' })
export type RolloutGroup = z.infer<typeof RolloutGroup>

const Rate = z.object({
  solved: z.number().int(),
  n: z.number().int().meta({ description: 'episodes with a result, without corrupted ones and errors' }),
  tasks: z.number().int().meta({ description: 'tasks of these episodes' }),
  low: z.number().nullable().meta({ description: '`low` and `high` are the 95 % Wilson interval, which counts tasks' }),
  high: z.number().nullable(),
})

/** Figures of a set. */
export const RolloutStats = z
  .object({
    success: Rate,
    byDifficulty: z.array(Rate.extend({ difficulty: z.number().int().nullable() })),
    turns: z.array(z.object({ turns: z.number().int(), solved: z.number().int(), unsolved: z.number().int() })),
    exitCodes: z.array(z.object({ code: z.number().int(), turns: z.number().int() })),
    reward: z.object({
      n: z.number().int(),
      mean: z.number().nullable(),
      std: z.number().nullable(),
      least: z.number().nullable(),
      most: z.number().nullable(),
    }),
    rewards: z
      .array(z.object({ from: z.number(), to: z.number(), episodes: z.number().int() }))
      .meta({ description: 'in steps of a tenth' }),
    terms: z.record(z.string(), z.number()).meta({ description: 'means of the terms of the reward' }),
    groups: z.object({ total: z.number().int(), complete: z.number().int(), scored: z.number().int(), zeroVariance: z.number().int() }),
    corrupted: z.number().int(),
    errors: z.array(z.object({ boundary: z.string(), episodes: z.number().int() })),
    ended: z.number().int(),
  })
  .meta({ id: 'RolloutStats' })
export type RolloutStats = z.infer<typeof RolloutStats>

export const RolloutExportFormat = z.enum(['art', 'trl', 'verifiers', 'atif', 'harbor', 'cast']).meta({ id: 'RolloutExportFormat' })
export type RolloutExportFormat = z.infer<typeof RolloutExportFormat>
