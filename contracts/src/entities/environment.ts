import { z } from 'zod'
import { Instant } from './common.ts'
import { EpisodeForm } from './rollout.ts'
import { SandboxBackend } from './sandbox.ts'
import { fileField, listenField, notAPlace } from '../places.ts'

export const EnvironmentId = z
  .string()
  .regex(/^[0-9a-f-]{36}$/)
  .meta({ id: 'EnvironmentId' })

export const TaskKey = z.enum(['sandbox_backend', 'sandbox_image', 'sandbox_flavor', 'sandbox_timeout'])
const seconds = (value: number, description: string) => z.number().min(0.1).max(86_400).default(value).meta({ description })

/** Options of an environment server. */
export const EnvironmentSpec = z
  .object({
    host: listenField(
      z
        .string()
        .max(255)
        .regex(/^[A-Za-z0-9.:-]+$/, 'must be a name or an address'),
      'Let other machines use an environment server',
    )
      .default('127.0.0.1')
      .meta({ description: 'an address other than this machine can be reached by others' }),
    port: z.number().int().min(0).max(65_535).default(0).meta({ description: '0 chooses a free port' }),
    mode: z
      .enum(['simulation', 'production'])
      .default('simulation')
      .meta({ description: 'production: no /reset, /step and /state over HTTP' }),
    maxSessions: z
      .number()
      .int()
      .min(1)
      .max(1024)
      .default(64)
      .meta({ description: 'should be at least the number of generations in a batch' }),
    backend: z.enum(['auto', ...SandboxBackend.options]).default('auto'),
    image: notAPlace(z.string().min(1).max(300), 'an image that is already here; none is downloaded').default('host'),
    form: EpisodeForm.default('terminal'),
    reward: z
      .enum(['fraction', 'shell-v1'])
      .default('fraction')
      .meta({ description: 'fraction: share of passed checks; shell-v1: like rollouts, with length and exit codes' }),
    maxTurns: z.number().int().min(1).max(1000).nullable().default(null).meta({ description: 'the checks run after this many turns' }),
    outputBytes: z
      .number()
      .int()
      .min(1024)
      .max(1_048_576)
      .default(8192)
      .meta({ description: 'how much output of a command the agent gets' }),
    tasks: fileField(z.string().min(1).max(4096), 'Read tasks from a file', { orName: true })
      .nullable()
      .default(null)
      .meta({ description: 'a split of shell tasks, or the absolute path of a JSON Lines file of tasks' }),
    allowTaskKeys: z.array(TaskKey).max(4).default([]).meta({ description: 'sandbox settings that a task may choose' }),
    showChecks: z.boolean().default(false).meta({ description: 'agents get the check commands' }),
    idleSec: seconds(600, 'how long a session without a connection is kept'),
    deadlines: z
      .object({
        commandSec: seconds(45, 'limit for a command'),
        stepSec: seconds(55, 'limit for a step or reset, including checks'),
        messageSec: seconds(60, 'how long clients wait for an answer'),
        checkSec: seconds(120, 'limit for one check'),
      })
      .prefault({}),
  })
  .meta({ id: 'EnvironmentSpec' })
export type EnvironmentSpec = z.infer<typeof EnvironmentSpec>

/** One trajectory of a trainer or agent. */
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

/** A running environment server. */
export const Environment = z
  .object({
    id: EnvironmentId,
    url: z.string(),
    spec: EnvironmentSpec,
    taskCount: z.number().int().nullable().meta({ description: 'null if it was started without tasks' }),
    sessions: z.array(EnvironmentSession),
    startedAt: Instant,
  })
  .meta({ id: 'Environment' })
export type Environment = z.infer<typeof Environment>
