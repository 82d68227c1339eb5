import { z } from 'zod'
import { Instant } from './common.ts'
import { EpisodeForm } from './rollout.ts'
import { SandboxBackend } from './sandbox.ts'

export const EnvironmentId = z
  .string()
  .regex(/^[0-9a-f-]{36}$/)
  .meta({ id: 'EnvironmentId' })

export const TaskKey = z.enum(['sandbox_backend', 'sandbox_image', 'sandbox_flavor', 'sandbox_timeout'])
const seconds = (value: number, description: string) => z.number().min(0.1).max(86_400).default(value).meta({ description })

/** What a server of environments is started with. */
export const EnvironmentSpec = z
  .object({
    host: z
      .string()
      .max(255)
      .regex(/^[A-Za-z0-9.:-]+$/, 'must be a name or an address')
      .default('127.0.0.1')
      .meta({ description: 'beyond this machine only with a token' }),
    port: z.number().int().min(0).max(65_535).default(0).meta({ description: '0: a free one' }),
    mode: z
      .enum(['simulation', 'production'])
      .default('simulation')
      .meta({ description: 'production: /reset, /step and /state are not there over HTTP' }),
    maxSessions: z.number().int().min(1).max(1024).default(64).meta({ description: 'at least one for each generation of a batch' }),
    backend: z.enum(['auto', ...SandboxBackend.options]).default('auto'),
    image: z.string().min(1).max(300).default('host'),
    form: EpisodeForm.default('terminal'),
    reward: z
      .enum(['fraction', 'shell-v1'])
      .default('fraction')
      .meta({ description: 'fraction: of the checks that passed; shell-v1: with length and exit codes, as rollouts have it' }),
    maxTurns: z.number().int().min(1).max(1000).nullable().default(null).meta({ description: 'after so many the checks are run' }),
    outputBytes: z.number().int().min(1024).max(1_048_576).default(8192).meta({ description: 'of a command, as the agent is shown it' }),
    tasks: z
      .string()
      .min(1)
      .max(4096)
      .nullable()
      .default(null)
      .meta({ description: 'a split of the shell tasks, or the absolute path of a file of tasks (JSON lines)' }),
    allowTaskKeys: z.array(TaskKey).max(4).default([]).meta({ description: 'what a task may set of its sandbox' }),
    showChecks: z.boolean().default(false).meta({ description: 'agents are told the commands that check them' }),
    idleSec: seconds(600, 'of a session without a connection'),
    deadlines: z
      .object({
        commandSec: seconds(45, 'of a command'),
        stepSec: seconds(55, 'of a step or reset, checks included'),
        messageSec: seconds(60, 'that clients wait for an answer'),
        checkSec: seconds(120, 'of one check'),
      })
      .prefault({}),
  })
  .meta({ id: 'EnvironmentSpec' })
export type EnvironmentSpec = z.infer<typeof EnvironmentSpec>

/** One trajectory of somebody's trainer or agent. */
export const EnvironmentSession = z
  .object({
    id: z.string(),
    connection: z.enum(['websocket', 'http']),
    episodeId: z.string(),
    taskId: z.string().nullable(),
    sandboxId: z.string().nullable(),
    steps: z.number().int(),
    done: z.boolean(),
    reward: z.number().nullable(),
    startedAt: Instant,
    lastUsedAt: Instant,
  })
  .meta({ id: 'EnvironmentSession' })
export type EnvironmentSession = z.infer<typeof EnvironmentSession>

/** A server of environments that runs. */
export const Environment = z
  .object({
    id: EnvironmentId,
    url: z.string(),
    needsToken: z.boolean(),
    spec: EnvironmentSpec,
    taskCount: z.number().int().nullable().meta({ description: 'null: it was started without tasks' }),
    sessions: z.array(EnvironmentSession),
    startedAt: Instant,
  })
  .meta({ id: 'Environment' })
export type Environment = z.infer<typeof Environment>
