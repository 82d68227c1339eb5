import { ShellSplit } from '#contracts/entities/shell-task.ts'
import type { GenerationDraft } from '#renderer/api/shell-generations.ts'
import { missingOfRun, modelEndpointOf, NEW_RUN, type NumberRule, optionalNumber, type Problems, problemsOfRun, type RunForm, numberProblems } from '#renderer/app/run-form/form.ts' // prettier-ignore

type Level = 'level1' | 'level2' | 'level3' | 'level4'
export const LEVELS: readonly { name: Level; key: '1' | '2' | '3' | '4' }[] = [
  { name: 'level1', key: '1' },
  { name: 'level2', key: '2' },
  { name: 'level3', key: '3' },
  { name: 'level4', key: '4' },
]

/** The form as typed. */
export interface GenerationForm extends RunForm, Record<Level, string> {
  seeds: string
  split: string
  rollouts: string
  maxTokens: string
  maxCostUsd: string
}

export const NEW_GENERATION: GenerationForm = {
  ...NEW_RUN,
  agent: 'shell',
  level1: '10',
  level2: '10',
  level3: '0',
  level4: '0',
  seeds: 'starter',
  split: 'generated',
  rollouts: '4',
  maxTokens: '',
  maxCostUsd: '',
}

const taskCount = { min: 0, max: 100_000, isWhole: true, mayBeEmpty: false }
const NUMBERS: readonly NumberRule<Level | 'rollouts' | 'maxTokens' | 'maxCostUsd'>[] = [
  ...LEVELS.map(({ name }) => ({ name, ...taskCount })),
  { name: 'rollouts', min: 1, max: 64, isWhole: true, mayBeEmpty: false },
  { name: 'maxTokens', min: 1, max: 1e12, isWhole: true, mayBeEmpty: true },
  { name: 'maxCostUsd', min: 0.000_001, max: 100_000, isWhole: false, mayBeEmpty: true },
]

export function problemsOf(form: GenerationForm): Problems<GenerationForm> {
  const problems: Problems<GenerationForm> = { ...problemsOfRun(form), ...numberProblems(form, NUMBERS) }
  for (const name of ['seeds', 'split'] as const)
    if (!ShellSplit.safeParse(form[name].trim()).success) problems[name] = 'Only lower-case letters, digits, ., _ and - are allowed.'
  return problems
}

/** Null if a field is invalid or missing. */
export function requestOf(form: GenerationForm): GenerationDraft | null {
  if (missingOfRun(form) !== null || Object.values(problemsOf(form)).length > 0) return null
  const [usd, tokens] = [optionalNumber(form.maxCostUsd), optionalNumber(form.maxTokens)]
  return {
    endpoint: modelEndpointOf(form),
    targets: Object.fromEntries(LEVELS.map(({ name, key }) => [key, Number(form[name])])),
    seeds: form.seeds.trim(),
    split: form.split.trim(),
    rollouts: Number(form.rollouts),
    budget: { ...(usd !== null && { usd }), ...(tokens !== null && { tokens }) },
  }
}
