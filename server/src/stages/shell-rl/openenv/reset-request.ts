import { EpisodeForm } from '#contracts/entities/rollout.ts'
import { z } from 'zod'
import { isBlankScript } from '#contracts/blank-script.ts'
import { SandboxBackend } from '#contracts/entities/sandbox.ts'
import type { EnvironmentConfig } from './config.ts'
import type { EnvironmentTask } from './tasks.ts'
import { type Fields, readMessage } from './wire.ts'

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

const Commands = z
  .union([z.string(), z.array(z.string())])
  .nullish()
  .transform((given) => [given ?? []].flat())
const Checks = Commands.refine((all) => !all.some(isBlankScript), 'a check without a command would always pass')
const Text = z
  .string()
  .nullish()
  .transform((given) => given ?? null)
const whole = (least: number) =>
  z
    .int()
    .min(least)
    .nullish()
    .transform((given) => given ?? null)
const Values = z.object({
  seed: whole(0),
  episode_id: z.string().max(255).nullish(),
  task_id: Text,
  split: Text,
  index: whole(0),
  max_turns: whole(1),
  form: EpisodeForm.nullish(),
  setup: Commands,
  setup_scripts: Commands,
  verify: Checks,
  verify_scripts: Checks,
})

/** Throws `Invalid` for invalid values, `ResetRefused` for requests that this server does not allow. */
export function resetRequest(data: Fields, config: EnvironmentConfig): ResetRequest {
  const values = readMessage(Values, data)
  const task = taskOf(values, config)
  return {
    seed: values.seed,
    setup: [...(task?.setup ?? []), ...values.setup, ...values.setup_scripts],
    verify: [...(task?.verify ?? []), ...values.verify, ...values.verify_scripts],
    task,
    form: values.form ?? config.form,
    maxTurns: values.max_turns ?? config.maxTurns,
    ...sandboxOf(data, config),
  }
}

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
