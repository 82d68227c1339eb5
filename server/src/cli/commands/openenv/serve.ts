import fs from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { EnvironmentSpec, TaskKey } from '#contracts/entities/environment.ts'
import { AppError } from '#contracts/errors.ts'
import { serviceToken } from '../../token-file.ts'
import { type Context, enumOf, numberOf, textOf, UsageError, type Values } from '../../command.ts'

export const SERVE_OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'max-sessions': { type: 'string' },
  backend: { type: 'string' },
  image: { type: 'string' },
  mode: { type: 'string' },
  form: { type: 'string' },
  reward: { type: 'string' },
  tasks: { type: 'string' },
  'max-turns': { type: 'string' },
  'allow-task-keys': { type: 'string' },
  'show-checks': { type: 'boolean' },
  'token-file': { type: 'string' },
  'command-timeout': { type: 'string' },
  'step-timeout': { type: 'string' },
  'message-timeout': { type: 'string' },
  'check-timeout': { type: 'string' },
  'idle-timeout': { type: 'string' },
} as const

const PORT = 8000
/** Name of the file with the token, in the data directory. */
const ENVIRONMENT_TOKEN = 'environment-token'

/** Serves environments from the running app, or from the app inside this process. */
export async function serve(context: Context): Promise<number> {
  const { values } = context
  const token = serviceToken(context, ENVIRONMENT_TOKEN)
  const spec = specOf(values)
  const { client } = await context.connect({ sandboxes: { running: spec.maxSessions, queue: undefined } }).catch((error: unknown) => {
    // a running app has its own limit and refuses this one
    if (error instanceof AppError && error.code === 'invalid_request') return context.connect()
    throw error
  })
  const environment = await client.startEnvironment({ body: { ...spec, token: token.read() } })
  context.line({ ready: true, url: environment.url, tokenFile: token.file, pid: process.pid })
  const params = { id: environment.id }
  const kept = await client.keepEnvironment({ params })
  await Promise.race([untilAborted(context.signal), ended(kept)])
  if (!context.signal.aborted) throw new AppError('environment_not_found', { message: 'The app stopped this environment server.' })
  await client.stopEnvironment({ params })
  return 0
}

/** Ends with the connection, which the app keeps while the environment server runs. When this process ends, so does the server. */
async function ended({ body }: Response): Promise<void> {
  try {
    for await (const _ of body ?? []) continue
  } catch {
    // the app is gone
  }
}

/** Nothing else keeps this process alive while the app serves the environment. */
async function untilAborted(signal: AbortSignal): Promise<void> {
  const alive = setInterval(() => undefined, 2 ** 30)
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  clearInterval(alive)
}

function specOf(values: Values): EnvironmentSpec {
  const text = (name: string) => textOf(values, name)
  const tasks = text('tasks')
  const input = {
    host: text('host'),
    port: numberOf(values, 'port') ?? PORT,
    maxSessions: numberOf(values, 'max-sessions'),
    backend: enumOf(values, 'backend', EnvironmentSpec.shape.backend.unwrap().options),
    image: text('image'),
    mode: enumOf(values, 'mode', EnvironmentSpec.shape.mode.unwrap().options),
    form: enumOf(values, 'form', EnvironmentSpec.shape.form.unwrap().options),
    reward: enumOf(values, 'reward', EnvironmentSpec.shape.reward.unwrap().options),
    maxTurns: numberOf(values, 'max-turns'),
    allowTaskKeys: text('allow-task-keys')?.split(',').map(taskKey),
    showChecks: values['show-checks'] === true,
    tasks: tasks === undefined ? null : fs.existsSync(tasks) || tasks.includes('/') ? path.resolve(tasks) : tasks,
    idleSec: numberOf(values, 'idle-timeout'),
    deadlines: {
      commandSec: numberOf(values, 'command-timeout'),
      stepSec: numberOf(values, 'step-timeout'),
      messageSec: numberOf(values, 'message-timeout'),
      checkSec: numberOf(values, 'check-timeout'),
    },
  } satisfies { [Key in keyof z.input<typeof EnvironmentSpec>]: unknown }
  const parsed = EnvironmentSpec.safeParse(input)
  if (parsed.success) return parsed.data
  const [{ path: at, message }] = parsed.error.issues as [z.core.$ZodIssue]
  throw new UsageError(`${at.join('.')}: ${message}.`)
}

const taskKey = (text: string) => {
  const found = TaskKey.options.find((one) => one === text.trim())
  if (found) return found
  throw new UsageError(`--allow-task-keys takes ${TaskKey.options.join(', ')}, not "${text}".`)
}
