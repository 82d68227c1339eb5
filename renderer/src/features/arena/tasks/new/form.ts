import type { ProviderId } from '#contracts/entities/provider.ts'
import { SandboxAddress } from '#contracts/entities/sandbox.ts'
import type { TaskAgent, TaskRequest } from '#contracts/entities/task.ts'
import type { TaskDraft } from '#renderer/api/tasks.ts'

/** As it is typed. */
export interface TaskForm {
  prompt: string
  title: string
  source: 'folder' | 'url' | 'empty'
  directory: string
  repositoryUrl: string
  agent: TaskAgent
  endpoint: 'provider' | 'url' | 'model'
  provider: ProviderId
  dialect: 'anthropic' | 'openai'
  baseUrl: string
  modelId: string
  model: string
  turns: string
  tokens: string
  costUsd: string
  minutes: string
  context: TaskRequest['context']
  permissions: TaskRequest['permissions']
  verify: string
  checkTimeoutSec: string
  setup: 'found' | 'none' | 'own'
  setupCommands: string
  network: string
  memoryMb: string
  cpus: string
}

export const NEW_TASK: TaskForm = {
  prompt: '',
  title: '',
  source: 'folder',
  directory: '',
  repositoryUrl: '',
  agent: 'claude-code',
  endpoint: 'provider',
  provider: 'anthropic',
  dialect: 'openai',
  baseUrl: '',
  modelId: '',
  model: '',
  turns: '100',
  tokens: '',
  costUsd: '',
  minutes: '60',
  context: 'clean',
  permissions: 'sandbox',
  verify: '',
  checkTimeoutSec: '600',
  setup: 'found',
  setupCommands: '',
  network: '',
  memoryMb: '2048',
  cpus: '2',
}

/** The form of a run that is done once more. */
export function formOf(request: TaskRequest): TaskForm {
  const { endpoint, caps, setup, limits } = request
  return {
    ...NEW_TASK,
    prompt: request.prompt,
    title: request.title ?? '',
    source: request.directory !== undefined ? 'folder' : request.repositoryUrl !== undefined ? 'url' : 'empty',
    directory: request.directory ?? '',
    repositoryUrl: request.repositoryUrl ?? '',
    agent: request.agent,
    endpoint: endpoint.kind,
    ...(endpoint.kind === 'provider' && { provider: endpoint.provider }),
    ...(endpoint.kind === 'url' && { dialect: endpoint.dialect, baseUrl: endpoint.baseUrl }),
    ...(endpoint.kind === 'model' && { modelId: endpoint.modelId }),
    model: request.model ?? '',
    turns: String(caps.turns),
    tokens: caps.tokens === null ? '' : String(caps.tokens),
    costUsd: caps.costUsd === null ? '' : String(caps.costUsd),
    minutes: String(caps.timeSec / 60),
    context: request.context,
    permissions: request.permissions,
    verify: request.verify ?? '',
    checkTimeoutSec: String(request.checkTimeoutSec),
    setup: setup === undefined ? 'found' : setup.length === 0 ? 'none' : 'own',
    setupCommands: (setup ?? []).join('\n'),
    network: request.network.join('\n'),
    memoryMb: String(limits.memoryMb),
    cpus: String(limits.cpus),
  }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Least and most of each number, and whether it may be left empty. */
const NUMBERS = [
  { name: 'turns', least: 1, most: 10_000, isWhole: true, mayBeEmpty: false },
  { name: 'tokens', least: 1, most: 1e12, isWhole: true, mayBeEmpty: true },
  { name: 'costUsd', least: 0.000_001, most: 100_000, isWhole: false, mayBeEmpty: true },
  { name: 'minutes', least: 1, most: 1440, isWhole: false, mayBeEmpty: false },
  { name: 'checkTimeoutSec', least: 1, most: 3600, isWhole: true, mayBeEmpty: false },
  { name: 'memoryMb', least: 64, most: 1_048_576, isWhole: true, mayBeEmpty: false },
  { name: 'cpus', least: 0.1, most: 256, isWhole: false, mayBeEmpty: false },
] as const satisfies readonly { name: keyof TaskForm; least: number; most: number; isWhole: boolean; mayBeEmpty: boolean }[]

export type Problems = Partial<Record<keyof TaskForm, string>>

/** What is missing, which nobody is to be blamed for before the start. */
export function missingOf(form: TaskForm): string | null {
  if (form.prompt.trim() === '') return 'Write what the agent is to do.'
  if (form.source === 'folder' && form.directory.trim() === '') return 'Name the folder to work on, or choose an empty one.'
  if (form.source === 'url' && form.repositoryUrl.trim() === '') return 'Enter the address of the repository.'
  if (form.endpoint === 'url' && form.baseUrl.trim() === '') return 'Enter the address of the model server.'
  return form.endpoint === 'model' && form.modelId === '' ? 'Choose a model.' : null
}

/** What is filled in and wrong, by field. */
export function problemsOf(form: TaskForm): Problems {
  const problems: Problems = Object.fromEntries(
    NUMBERS.flatMap(({ name, least, most, isWhole, mayBeEmpty }) => {
      const text = form[name].trim()
      const value = Number(text)
      const fits = text === '' ? mayBeEmpty : value >= least && value <= most && (!isWhole || Number.isInteger(value))
      return fits ? [] : [[name, `Enter a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`]]
    }),
  )
  if (form.source === 'folder' && form.directory.trim() !== '' && !form.directory.trim().startsWith('/')) {
    problems.directory = 'Write the whole path, as in /home/you/project.'
  }
  if (form.endpoint === 'url' && form.baseUrl.trim() !== '' && !/^https?:\/\/[^/]/.test(form.baseUrl.trim())) {
    problems.baseUrl = 'The address must begin with http:// or https://.'
  }
  const wrong = linesOf(form.network).find((line) => !SandboxAddress.safeParse(line).success)
  if (wrong !== undefined) problems.network = `"${wrong}" is not host:port, as in api.example.com:443.`
  return problems
}

/** What is asked for; null: something is missing or wrong. */
export function requestOf(form: TaskForm): TaskDraft | null {
  if (missingOf(form) !== null || Object.keys(problemsOf(form)).length > 0) return null
  const optional = (text: string) => (text.trim() === '' ? null : Number(text))
  const [title, model, verify] = [form.title.trim(), form.model.trim(), form.verify.trim()]
  return {
    prompt: form.prompt.trim(),
    ...(title !== '' && { title }),
    ...(form.source === 'folder' && { directory: form.directory.trim() }),
    ...(form.source === 'url' && { repositoryUrl: form.repositoryUrl.trim() }),
    agent: form.agent,
    endpoint: endpointOf(form),
    ...(model !== '' && { model }),
    caps: {
      turns: Number(form.turns),
      tokens: optional(form.tokens),
      costUsd: optional(form.costUsd),
      timeSec: Math.round(Number(form.minutes) * 60),
    },
    context: form.context,
    permissions: form.permissions,
    ...(verify !== '' && { verify }),
    ...(form.setup === 'none' && { setup: [] }),
    ...(form.setup === 'own' && { setup: linesOf(form.setupCommands) }),
    network: linesOf(form.network),
    limits: { memoryMb: Number(form.memoryMb), cpus: Number(form.cpus) },
    checkTimeoutSec: Number(form.checkTimeoutSec),
  }
}

function endpointOf(form: TaskForm): TaskRequest['endpoint'] {
  if (form.endpoint === 'url') return { kind: 'url', dialect: form.dialect, baseUrl: form.baseUrl.trim() }
  if (form.endpoint === 'model') return { kind: 'model', modelId: form.modelId }
  return { kind: 'provider', provider: form.provider }
}
