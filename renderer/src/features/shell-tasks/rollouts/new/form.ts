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
  numberProblems,
} from '#renderer/app/run-form/form.ts'

/** The form as typed. */
export interface RolloutForm extends RunForm {
  split: string
  levels: readonly number[]
  maxTasks: string
  perTask: string
  concurrency: string
  turnsEach: string
  newTokens: string
  temperature: string
  seed: string
  form: 'command' | 'terminal'
  logprobs: boolean
  maxCostUsd: string
}

export const NEW_ROLLOUTS: RolloutForm = {
  ...NEW_RUN,
  agent: 'shell',
  split: 'starter',
  levels: [],
  maxTasks: '',
  perTask: '8',
  concurrency: '4',
  turnsEach: '30',
  newTokens: '512',
  temperature: '1',
  seed: '',
  form: 'command',
  logprobs: false,
  maxCostUsd: '',
}

type Numbers = 'maxTasks' | 'perTask' | 'concurrency' | 'turnsEach' | 'newTokens' | 'temperature' | 'seed' | 'maxCostUsd'

const NUMBERS: readonly NumberRule<Numbers>[] = [
  { name: 'maxTasks', min: 1, max: 100_000, isWhole: true, mayBeEmpty: true },
  { name: 'perTask', min: 1, max: 1000, isWhole: true, mayBeEmpty: false },
  { name: 'concurrency', min: 1, max: 256, isWhole: true, mayBeEmpty: false },
  { name: 'turnsEach', min: 1, max: 1000, isWhole: true, mayBeEmpty: false },
  { name: 'newTokens', min: 1, max: 1_000_000, isWhole: true, mayBeEmpty: false },
  { name: 'temperature', min: 0, max: 2, isWhole: false, mayBeEmpty: false },
  { name: 'seed', min: 0, max: 2_147_483_647, isWhole: true, mayBeEmpty: true },
  { name: 'maxCostUsd', min: 0.000_001, max: 100_000, isWhole: false, mayBeEmpty: true },
]

export const problemsOf = (form: RolloutForm): Problems<RolloutForm> => ({ ...problemsOfRun(form), ...numberProblems(form, NUMBERS) })

/** What the user still has to fill in: shown in the plan, not as an error. */
export const missingOf = (form: RolloutForm): string | null =>
  form.split.trim() === '' ? 'Enter the split of the tasks.' : missingOfRun(form)

/** Null if a field is invalid or missing. */
export function requestOf(form: RolloutForm): RolloutDraft | null {
  if (missingOf(form) !== null || Object.values(problemsOf(form)).length > 0) return null
  const limit = optionalNumber(form.maxTasks)
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
    ...(form.redact !== null && { redact: form.redact }),
    ...(form.logprobs && { logprobs: true }),
    maxCostUsd: optionalNumber(form.maxCostUsd),
  }
}
