import type { z } from 'zod'
import type { BatchSettings } from '#contracts/entities/batch.ts'
import type { ProviderId } from '#contracts/entities/provider.ts'
import { SandboxAddress } from '#contracts/entities/sandbox.ts'
import type { TaskAgent, TaskEndpoint, TaskRequest } from '#contracts/entities/task.ts'
import type { RolloutDraft } from '#renderer/api/rollouts.ts'

/** The fields that tasks and batches share, as typed: agent, model and limits. */
export interface RunForm {
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
  /** Null: the default of the endpoint. */
  redact: boolean | null
  checkTimeoutSec: string
  network: string
  memoryMb: string
  cpus: string
}

export const NEW_RUN: RunForm = {
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
  redact: null,
  checkTimeoutSec: '600',
  network: '',
  memoryMb: '2048',
  cpus: '2',
}

export type Problems<Form> = Partial<Record<keyof Form, string>>

export interface FormProps<Form> {
  form: Form
  problems: Problems<Form>
  set: (part: Partial<Form>) => void
}
export type RunFormProps = FormProps<RunForm>

/** Fills in the form from an earlier request. */
export function runFormOf({ endpoint, caps, limits, ...request }: BatchSettings): RunForm {
  return {
    ...NEW_RUN,
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
    redact: request.redact ?? null,
    checkTimeoutSec: String(request.checkTimeoutSec),
    network: request.network.join('\n'),
    memoryMb: String(limits.memoryMb),
    cpus: String(limits.cpus),
  }
}

export const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Why a list of addresses is not valid; null if it is. */
export function addressProblem(text: string): string | null {
  const invalidLine = linesOf(text).find((line) => !SandboxAddress.safeParse(line).success)
  return invalidLine === undefined ? null : `"${invalidLine}" is not host:port, as in api.example.com:443.`
}

export interface NumberRule<Name extends string> {
  name: Name
  min: number
  max: number
  isWhole: boolean
  mayBeEmpty: boolean
}

/** The problem of each invalid number. */
export const numberProblems = <Name extends string>(form: Record<Name, string>, rules: readonly NumberRule<Name>[]) =>
  Object.fromEntries(
    rules.flatMap(({ name, min, max, isWhole, mayBeEmpty }) => {
      const text = form[name].trim()
      const value = Number(text)
      const isValid = text === '' ? mayBeEmpty : value >= min && value <= max && (!isWhole || Number.isInteger(value))
      return isValid ? [] : [[name, `Enter a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}.`]]
    }),
  ) as Partial<Record<Name, string>> // the keys are the names of the rules

export const optionalNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const NUMBERS = [
  { name: 'turns', min: 1, max: 10_000, isWhole: true, mayBeEmpty: false },
  { name: 'tokens', min: 1, max: 1e12, isWhole: true, mayBeEmpty: true },
  { name: 'costUsd', min: 0.000_001, max: 100_000, isWhole: false, mayBeEmpty: true },
  { name: 'minutes', min: 1, max: 1440, isWhole: false, mayBeEmpty: false },
  { name: 'checkTimeoutSec', min: 1, max: 3600, isWhole: true, mayBeEmpty: false },
  { name: 'memoryMb', min: 64, max: 1_048_576, isWhole: true, mayBeEmpty: false },
  { name: 'cpus', min: 0.1, max: 256, isWhole: false, mayBeEmpty: false },
] as const

/** What the user still has to fill in: shown in the plan, not as an error. */
export function missingOfRun({ endpoint, baseUrl, modelId }: RunForm): string | null {
  if (endpoint === 'url' && baseUrl.trim() === '') return 'Enter the address of the model server.'
  return endpoint === 'model' && modelId === '' ? 'Choose a model.' : null
}

/** The problems of invalid fields. */
export function problemsOfRun(form: RunForm): Problems<RunForm> {
  const problems: Problems<RunForm> = numberProblems(form, NUMBERS)
  if (form.endpoint === 'url' && form.baseUrl.trim() !== '' && !/^https?:\/\/[^/]/.test(form.baseUrl.trim())) {
    problems.baseUrl = 'The address must begin with http:// or https://.'
  }
  const network = addressProblem(form.network)
  if (network !== null) problems.network = network
  return problems
}

/** The request of a form without problems. */
export function settingsOf(form: RunForm): z.input<typeof BatchSettings> {
  const model = form.model.trim()
  return {
    agent: form.agent,
    endpoint: endpointOf(form),
    ...(model !== '' && { model }),
    caps: {
      turns: Number(form.turns),
      tokens: optionalNumber(form.tokens),
      costUsd: optionalNumber(form.costUsd),
      timeSec: Math.round(Number(form.minutes) * 60),
    },
    context: form.context,
    ...(form.redact !== null && { redact: form.redact }),
    network: linesOf(form.network),
    limits: { memoryMb: Number(form.memoryMb), cpus: Number(form.cpus) },
    checkTimeoutSec: Number(form.checkTimeoutSec),
  }
}

function endpointOf(form: RunForm): TaskEndpoint {
  if (form.endpoint === 'url') return { kind: 'url', dialect: form.dialect, baseUrl: form.baseUrl.trim() }
  if (form.endpoint === 'model') return { kind: 'model', modelId: form.modelId }
  return { kind: 'provider', provider: form.provider }
}

/** The endpoint in the form that shell tasks and rollouts need: it includes the model. */
export function modelEndpointOf(form: RunForm): RolloutDraft['endpoint'] {
  const model = form.model.trim()
  if (form.endpoint === 'model') return { kind: 'model', model: form.modelId }
  const withModel = model === '' ? {} : { model }
  if (form.endpoint === 'url') return { kind: 'url', dialect: form.dialect, baseUrl: form.baseUrl.trim(), ...withModel }
  return { kind: 'provider', provider: form.provider, ...withModel }
}
