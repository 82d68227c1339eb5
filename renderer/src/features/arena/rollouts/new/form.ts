import type { RolloutDraft } from '#renderer/api/rollouts.ts'
import {
  missingOfRun,
  NEW_RUN,
  type NumberRule,
  optionalNumber,
  type Problems,
  problemsOfRun,
  type RunForm,
  wrongNumbers,
} from '../../run-form/form.ts'

/** What is asked for, as it is typed. */
export interface RolloutForm extends RunForm {
  split: string
  levels: readonly number[]
  most: string
  perTask: string
  concurrency: string
  turnsEach: string
  newTokens: string
  temperature: string
  seed: string
  form: 'command' | 'terminal'
  maxCostUsd: string
}

export const NEW_ROLLOUTS: RolloutForm = {
  ...NEW_RUN,
  agent: 'shell',
  split: 'starter',
  levels: [],
  most: '',
  perTask: '8',
  concurrency: '4',
  turnsEach: '30',
  newTokens: '512',
  temperature: '1',
  seed: '',
  form: 'command',
  maxCostUsd: '',
}

type Numbers = 'most' | 'perTask' | 'concurrency' | 'turnsEach' | 'newTokens' | 'temperature' | 'seed' | 'maxCostUsd'

const NUMBERS: readonly NumberRule<Numbers>[] = [
  { name: 'most', least: 1, most: 100_000, isWhole: true, mayBeEmpty: true },
  { name: 'perTask', least: 1, most: 1000, isWhole: true, mayBeEmpty: false },
  { name: 'concurrency', least: 1, most: 256, isWhole: true, mayBeEmpty: false },
  { name: 'turnsEach', least: 1, most: 1000, isWhole: true, mayBeEmpty: false },
  { name: 'newTokens', least: 1, most: 1_000_000, isWhole: true, mayBeEmpty: false },
  { name: 'temperature', least: 0, most: 2, isWhole: false, mayBeEmpty: false },
  { name: 'seed', least: 0, most: 2_147_483_647, isWhole: true, mayBeEmpty: true },
  { name: 'maxCostUsd', least: 0.000_001, most: 100_000, isWhole: false, mayBeEmpty: true },
]

export const problemsOf = (form: RolloutForm): Problems<RolloutForm> => ({ ...problemsOfRun(form), ...wrongNumbers(form, NUMBERS) })

/** What is missing, which nobody is to be blamed for before the start. */
export const missingOf = (form: RolloutForm): string | null =>
  form.split.trim() === '' ? 'Enter the split of the tasks.' : missingOfRun(form)

/** Null: there is something wrong or missing. */
export function requestOf(form: RolloutForm): RolloutDraft | null {
  if (missingOf(form) !== null || Object.values(problemsOf(form)).some((one) => one !== undefined)) return null
  const limit = optionalNumber(form.most)
  return {
    filter: {
      split: form.split.trim(),
      ...(form.levels.length > 0 && { difficulty: [...form.levels] }),
      ...(limit !== null && { limit }),
    },
    endpoint: endpointOf(form),
    rolloutsPerTask: Number(form.perTask),
    concurrency: Number(form.concurrency),
    limits: { turns: Number(form.turnsEach), newTokens: Number(form.newTokens) },
    temperature: Number(form.temperature),
    seed: optionalNumber(form.seed),
    form: form.form,
    maxCostUsd: optionalNumber(form.maxCostUsd),
  }
}

function endpointOf(form: RolloutForm): RolloutDraft['endpoint'] {
  const model = form.model.trim()
  if (form.endpoint === 'model') return { kind: 'model', model: form.modelId }
  const named = model === '' ? {} : { model }
  if (form.endpoint === 'url') return { kind: 'url', dialect: form.dialect, baseUrl: form.baseUrl.trim(), ...named }
  return { kind: 'provider', provider: form.provider, ...named }
}
