import type { RolloutDraft } from '#renderer/api/rollouts.ts'
import {
  missingOfRun,
  modelEndpointOf,
  NEW_RUN,
  type NumberRule,
  optionalNumber,
  type Problems,
  problemsOfRun,
  type RunForm,
  wrongNumbers,
} from '../../run-form/form.ts'

/** The form as it is typed. */
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

/** What is still missing: shown in the plan, not as an error. */
export const missingOf = (form: RolloutForm): string | null =>
  form.split.trim() === '' ? 'Enter the split of the tasks.' : missingOfRun(form)

/** Null: something is wrong or missing. */
export function requestOf(form: RolloutForm): RolloutDraft | null {
  if (missingOf(form) !== null || Object.values(problemsOf(form)).length > 0) return null
  const limit = optionalNumber(form.most)
  return {
    filter: {
      split: form.split.trim(),
      ...(form.levels.length > 0 && { difficulty: [...form.levels] }),
      ...(limit !== null && { limit }),
    },
    endpoint: modelEndpointOf(form),
    rolloutsPerTask: Number(form.perTask),
    concurrency: Number(form.concurrency),
    limits: { turns: Number(form.turnsEach), newTokens: Number(form.newTokens) },
    temperature: Number(form.temperature),
    seed: optionalNumber(form.seed),
    form: form.form,
    maxCostUsd: optionalNumber(form.maxCostUsd),
  }
}
