import { z } from 'zod'
import { Instant } from './common.ts'
import { ProviderId } from './provider.ts'
import { ShellTaskId } from './shell-task.ts'

export const RolloutSetId = z
  .string()
  .regex(/^[a-z2-7]{26}$/)
  .meta({ id: 'RolloutSetId' })

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
      model: z.string().trim().max(200),
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
    failPenalty: z.number().default(0.01).meta({ description: 'a message, where the task is not solved' }),
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
    error: z.object({ boundary: z.enum(['endpoint', 'engine', 'setup', 'check', 'ours']), message: z.string() }).nullable(),
  })
  .meta({ id: 'Episode' })
export type Episode = z.infer<typeof Episode>
