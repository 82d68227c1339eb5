import type { EpisodeForm } from '#contracts/entities/rollout.ts'
import { isBlankScript } from '#contracts/blank-script.ts'
import { SandboxBackend } from '#contracts/entities/sandbox.ts'
import type { EnvironmentConfig } from './config.ts'
import type { EnvironmentTask } from './tasks.ts'
import { type Fields, Invalid, type Issue, wrongType } from './wire.ts'

export interface ResetRequest {
  seed: number | null
  setup: readonly string[]
  verify: readonly string[]
  task: EnvironmentTask | null
  form: EpisodeForm
  maxTurns: number | null
  backend: SandboxBackend | 'auto'
  image: string
  lifetimeSec: number | null
}

/** Thrown for a valid request that this server does not allow. Sent to the client as an observation. */
export class ResetRefused extends Error {}

const MAX_ID = 255

/** Throws `Invalid` for invalid values, `ResetRefused` for requests that this server does not allow. */
export function resetRequest(data: Fields, config: EnvironmentConfig): ResetRequest {
  const values = readValues(data)
  const task = taskOf(values, config)
  return {
    seed: values.seed,
    setup: [...(task?.setup ?? []), ...values.setup],
    verify: [...(task?.verify ?? []), ...values.verify],
    task,
    form: values.form ?? config.form,
    maxTurns: values.max_turns ?? config.maxTurns,
    ...sandboxOf(data, config),
  }
}

function readValues(data: Fields) {
  const issues: Issue[] = []
  const fail = (issue: Issue) => void issues.push(issue)
  const given = (key: string): unknown => data[key] ?? null
  const text = (key: string, most = Infinity): string | null => {
    const value = given(key)
    if (value === null) return null
    if (typeof value !== 'string') fail(wrongType(key, 'string', value))
    else if (value.length > most)
      fail({ type: 'string_too_long', loc: [key], msg: `String should have at most ${most} characters`, input: value })
    else return value
    return null
  }
  const whole = (key: string, least: number): number | null => {
    const value = given(key)
    if (value === null) return null
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) fail(wrongType(key, 'integer', value))
    else if (value < least)
      fail({ type: 'greater_than_equal', loc: [key], msg: `Input should be greater than or equal to ${least}`, input: value })
    else return value
    return null
  }
  const commands = (key: string): string[] => {
    const value = given(key)
    const list = listOf(value)
    for (const [index, one] of list.entries())
      if (typeof one !== 'string') fail({ ...wrongType(key, 'string', one), loc: Array.isArray(value) ? [key, index] : [key] })
    return list.filter((one) => typeof one === 'string')
  }
  const form = text('form')
  if (form !== null && form !== 'command' && form !== 'terminal')
    fail({ type: 'literal_error', loc: ['form'], msg: "Input should be 'command' or 'terminal'", input: form })
  const values = {
    seed: whole('seed', 0),
    episode_id: text('episode_id', MAX_ID),
    task_id: text('task_id'),
    split: text('split'),
    index: whole('index', 0),
    max_turns: whole('max_turns', 1),
    form: form as EpisodeForm | null,
    setup: [...commands('setup'), ...commands('setup_scripts')],
    verify: [...commands('verify'), ...commands('verify_scripts')],
  }
  for (const key of ['verify', 'verify_scripts'])
    if (listOf(given(key)).some((one) => typeof one === 'string' && isBlankScript(one)))
      fail({ type: 'value_error', loc: [key], msg: 'Value error, a check without a command would always pass', input: given(key) })
  if (issues.length > 0) throw new Invalid(issues)
  return values
}

const listOf = (value: unknown): unknown[] => (value === null ? [] : Array.isArray(value) ? value : [value])

function taskOf(
  { task_id: id, split, index }: { task_id: string | null; split: string | null; index: number | null },
  { tasks }: EnvironmentConfig,
): EnvironmentTask | null {
  if (id === null && index === null) return null
  if (!tasks) throw new ResetRefused('This server was started without tasks. Start it with --tasks, or send setup and verify.')
  if (id !== null) {
    const task = tasks.get(id)
    if (!task) throw new ResetRefused(`There is no task "${id}" in ${tasks.name}.`)
    return task
  }
  const name = split ?? tasks.splits()[0] ?? ''
  const of = tasks.ofSplit(name)
  if (!of) throw new ResetRefused(`There is no split "${name}" in ${tasks.name}. There are: ${tasks.splits().join(', ')}.`)
  const task = of[index!]
  if (!task) throw new ResetRefused(`The split "${name}" has ${of.length} tasks; there is none at index ${index}.`)
  return task
}

const SANDBOX_KEYS = ['sandbox_backend', 'sandbox_image', 'sandbox_flavor', 'sandbox_timeout'] as const
/** Names that other environments use for the same settings. */
const FOREIGN_KEY = /^(?:hf_)?sandbox_|^(?:sandbox_)?(?:backend|image|flavor|timeout)$/
const NOT_CREATED = 'failed to create the sandbox'

/** The sandbox of the server's configuration, with the changes of the task that the operator allows. */
function sandboxOf(data: Fields, config: EnvironmentConfig): Pick<ResetRequest, 'backend' | 'image' | 'lifetimeSec'> {
  const knownKeys: readonly string[] = SANDBOX_KEYS
  for (const key of Object.keys(data))
    if (FOREIGN_KEY.test(key) && !knownKeys.includes(key))
      throw new ResetRefused(`${NOT_CREATED}: unknown_key: unknown sandbox key ${key}. Known: ${knownKeys.join(', ')}.`)
  const allowedValue = (key: (typeof SANDBOX_KEYS)[number], own: unknown): unknown => {
    const value = data[key] ?? null
    if (value === null || value === own || config.allowTaskKeys.includes(key)) return value
    throw new ResetRefused(
      `${NOT_CREATED}: not_allowed: ${key} is "${String(own)}" on this server, and a task may not set it. The server allows it with --allow-task-keys ${key}.`,
    )
  }
  const { sandbox_backend: requestedBackend = null } = data
  const backends = ['auto', ...SandboxBackend.options]
  if (requestedBackend !== null && (typeof requestedBackend !== 'string' || !backends.includes(requestedBackend)))
    throw new ResetRefused(
      `${NOT_CREATED}: unknown_backend: there is no backend ${JSON.stringify(requestedBackend)}. Known: ${backends.join(', ')}.`,
    )
  if (allowedValue('sandbox_flavor', null) !== null)
    throw new ResetRefused(`${NOT_CREATED}: unknown_flavor: this server does not support sandbox_flavor.`)
  const backend = (allowedValue('sandbox_backend', config.backend) ?? config.backend) as ResetRequest['backend'] // checked against backends above
  const image = allowedValue('sandbox_image', config.image) ?? config.image
  if (typeof image !== 'string' || image === '') throw new ResetRefused(`${NOT_CREATED}: invalid_image: sandbox_image must be a name.`)
  const lifetime = allowedValue('sandbox_timeout', null)
  if (lifetime !== null && (typeof lifetime !== 'number' || !Number.isInteger(lifetime) || lifetime < 1 || lifetime > 86_400))
    throw new ResetRefused(`${NOT_CREATED}: invalid_timeout: sandbox_timeout must be whole seconds from 1 to 86400.`)
  return { backend, image, lifetimeSec: lifetime }
}
