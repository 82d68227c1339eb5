import { z } from 'zod'
import { Id, Instant, Refusal } from './common.ts'
import { Price } from './price.ts'
import { ProviderId } from './provider.ts'
import { ShellSplit, ShellTaskBody, ShellTaskId } from './shell-task.ts'

export const RolloutSetId = Id.meta({ id: 'RolloutSetId' })

/** `command`: a message is the command, word for word. `terminal`: it is a call of the tool `terminal`. */
export const EpisodeForm = z.enum(['command', 'terminal']).meta({ id: 'EpisodeForm' })
export type EpisodeForm = z.infer<typeof EpisodeForm>

/** Whose model acts. `model`: of the registry, served here for as long as it is needed. */
export const RolloutEndpoint = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('url'),
      dialect: z.enum(['anthropic', 'openai']).default('openai'),
      baseUrl: z.string().min(1).max(2000),
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
    newTokens: z.number().int().min(1).default(512).meta({ description: 'of one message' }),
    contextTokens: z.number().int().min(1).nullable().default(32_000).meta({ description: 'as the endpoint counts them' }),
    outputBytes: z.number().int().min(100).max(1_048_576).default(8192).meta({ description: 'of a command, as the model is shown it' }),
    commandSec: z.number().min(1).max(3600).default(45),
    checkSec: z.number().min(1).max(3600).default(120),
  })
  .meta({ id: 'EpisodeLimits' })
export type EpisodeLimits = z.infer<typeof EpisodeLimits>

/** How a reward is made of an episode; kept with every set of rollouts. The defaults are `shell-v1`. */
export const RewardPolicy = z
  .object({
    name: z.string().min(1).max(100).default('shell-v1'),
    lengthMiddle: z.number().default(15).meta({ description: 'messages at which the length factor is one half' }),
    lengthWidth: z.number().positive().default(2.5),
    lengthShare: z.number().min(0).max(1).default(0.4).meta({ description: 'of the success term that length may take' }),
    exitPenalty: z.number().default(0.1).meta({ description: 'times the share of messages with a non-zero exit code' }),
    failPenalty: z.number().default(0.01).meta({ description: 'a message, if the task is not solved' }),
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
    group: z.number().int().meta({ description: 'attempts of one task are a group; from 0 on' }),
    attempt: z.number().int().meta({ description: 'in its group, from 1 on' }),
    status: EpisodeStatus,
    how: z.enum(['exited', 'turns', 'tokens', 'cost', 'context', 'corrupted', 'error']).meta({ description: 'how it ended' }),
    success: z.boolean().nullable().meta({ description: 'null: the check gave no answer, or was not run' }),
    turns: z.number().int(),
    nonzeroExitCodes: z.number().int(),
    codes: z.array(z.number().int()).meta({ description: 'the exit code of each turn, the last one too' }),
    helpCalls: z.number().int(),
    timeouts: z.number().int(),
    truncatedOutputs: z.number().int(),
    reward: z.number().nullable(),
    terms: RewardTerms.nullable(),
    advantage: z.number().nullable().meta({ description: 'null: no reward, or its group is not complete' }),
    inputTokens: z.number().int().nullable(),
    outputTokens: z.number().int().nullable(),
    costUsd: z.number().nullable(),
    startedAt: Instant,
    durationMs: z.number(),
    check: EpisodeCheck.nullable().meta({ description: 'null: it was not run' }),
    error: z.object({ boundary: z.enum(['endpoint', 'engine', 'setup', 'check', 'ours']), message: z.string() }).nullable(),
  })
  .meta({ id: 'Episode' })
export type Episode = z.infer<typeof Episode>

/** A message of the model, the command that it was, and what the model was shown of it. */
export const EpisodeTurn = z
  .object({
    no: z.number().int().meta({ description: 'from 1 on' }),
    at: Instant,
    text: z.string().meta({ description: 'the message, word for word' }),
    thinking: z.string(),
    command: z.string(),
    isReasoning: z.boolean().meta({ description: 'comments alone: nothing was done' }),
    output: z.string(),
    exitCode: z.number().int(),
    timedOut: z.boolean(),
    truncated: z.boolean(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    costUsd: z.number().nullable(),
    modelMs: z.number(),
    commandMs: z.number(),
  })
  .meta({ id: 'EpisodeTurn' })
export type EpisodeTurn = z.infer<typeof EpisodeTurn>

/** A task as a set of rollouts keeps it: what it was when the set was made. */
export const RolloutTask = ShellTaskBody.pick({ task: true, setup: true, check: true, difficulty: true })
  .extend({ id: ShellTaskId, split: ShellSplit.nullable() })
  .meta({ id: 'RolloutTask' })
export type RolloutTask = z.infer<typeof RolloutTask>

/** How the tasks of a set are tried. */
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
      .meta({ description: 'episodes at once; no more than there are places for sandboxes' }),
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
      .meta({ description: 'of the model, where its API takes one; each episode has the next' }),
    temperature: z.number().min(0).max(2).default(1),
    maxCostUsd: z
      .number()
      .positive()
      .nullable()
      .default(null)
      .meta({ description: 'no episode is begun once all together have cost this' }),
  })
  .meta({ id: 'RolloutSettings' })
export type RolloutSettings = z.infer<typeof RolloutSettings>

/** Which tasks: rows that are given, or tasks of the store by id or by split. One of the three. */
export const RolloutSelection = z
  .object({
    tasks: z
      .array(
        RolloutTask.omit({ split: true }).extend({
          id: ShellTaskId.optional().meta({ description: 'otherwise made of what the task says' }),
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
  .meta({ id: 'RolloutState', description: 'stopped: it could not go on, for the reason in `detail`' })
export type RolloutState = z.infer<typeof RolloutState>

/** Attempts at tasks by one model under one policy. */
export const RolloutSet = z
  .object({
    id: RolloutSetId,
    name: z.string(),
    state: RolloutState,
    detail: z.string().nullable(),
    settings: RolloutSettings,
    model: z.string().nullable().meta({ description: 'null: the only one that the endpoint serves' }),
    tasks: z.number().int(),
    total: z.number().int().meta({ description: 'episodes' }),
    counts: z.object({
      ended: z.number().int(),
      ok: z.number().int(),
      solved: z.number().int(),
      corrupted: z.number().int(),
      error: z.number().int(),
    }),
    costUsd: z.number().nullable().meta({ description: 'null: no price is known, or nothing was asked' }),
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

/** What a set would be: shown before it is started. */
export const RolloutPlan = z
  .object({
    tasks: z.number().int(),
    episodes: z.number().int(),
    payer: z.string().meta({ description: 'who pays for the model, in a sentence' }),
    model: z.string().nullable(),
    price: Price.pick({ inputPerMTok: true, outputPerMTok: true }).nullable(),
    mostOutputTokens: z.number().meta({ description: 'where every episode uses all of its turns and each message all of its tokens' }),
    isolation: z.string().nullable().meta({ description: 'the engine; null: this machine has none' }),
    places: z.number().int().meta({ description: 'sandboxes that may run at once' }),
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
    mean: z.number().nullable().meta({ description: 'of the rewards; null: none yet, or the group is not complete' }),
    std: z.number().nullable(),
    zeroVariance: z.boolean().nullable().meta({ description: 'all rewards are the same: nothing can be learned from it' }),
  })
  .meta({ id: 'RolloutGroup' })
export type RolloutGroup = z.infer<typeof RolloutGroup>

const Rate = z.object({
  solved: z.number().int(),
  n: z.number().int().meta({ description: 'episodes with an answer; corrupted ones and errors are not among them' }),
  low: z.number().nullable().meta({ description: "Wilson's interval of 95 %" }),
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
