import { readTaskLines, type ReadTasks } from '#contracts/task-lines.ts'
import type { BatchDraft } from '#renderer/api/batches.ts'
import {
  missingOfRun,
  NEW_RUN,
  type NumberRule,
  optionalNumber,
  type Problems,
  problemsOfRun,
  type RunForm,
  settingsOf,
  numberProblems,
} from '#renderer/app/run-form/form.ts'

/** The form as typed. */
export interface BatchForm extends RunForm {
  name: string
  source: 'lines' | 'filter' | 'selection'
  lines: string
  /** Base of the relative folders in `lines`. */
  folder: string
  /** Filter of the sessions to repeat. */
  query: string
  attempts: string
  concurrency: string
  maxCostUsd: string
}
export type BatchProblems = Problems<BatchForm>

export const NEW_BATCH: BatchForm = {
  ...NEW_RUN,
  name: '',
  source: 'lines',
  lines: '',
  folder: '',
  query: '',
  attempts: '1',
  concurrency: '2',
  maxCostUsd: '',
}

const NUMBERS = [
  { name: 'attempts', min: 1, max: 100, isWhole: true, mayBeEmpty: false },
  { name: 'concurrency', min: 1, max: 64, isWhole: true, mayBeEmpty: false },
  { name: 'maxCostUsd', min: 0.000_001, max: 100_000, isWhole: false, mayBeEmpty: true },
] as const satisfies readonly NumberRule<keyof BatchForm>[]

export interface ReadLines extends ReadTasks {
  /** Whether a task has a relative folder. */
  isRelative: boolean
}

/** The tasks in the lines. Tasks with a relative folder need the base folder of the form. */
export function readLines({ lines, folder }: Pick<BatchForm, 'lines' | 'folder'>): ReadLines {
  let isRelative = false
  const base = folder.trim().replace(/\/+$/, '')
  const folderOf = (directory: string) => {
    if (directory.startsWith('/')) return directory
    isRelative = true
    return folder.trim().startsWith('/') ? `${base}/${directory}` : null
  }
  const parsed = readTaskLines(lines, { folderOf, keyOf: (_, line) => `line ${line}` })
  return { ...parsed, isRelative }
}

/** What the user still has to fill in: shown in the plan, not as an error. */
export function missingOf(form: BatchForm, { tasks, problems }: ReadLines, selectedCount: number): string | null {
  if (form.source === 'selection' && selectedCount === 0) return 'Select sessions in Traces.'
  if (form.source === 'lines' && tasks.length === 0 && problems.length === 0) return 'Paste tasks, or choose a file with tasks.'
  return missingOfRun(form)
}

/** The problems of invalid fields. */
export function problemsOf(form: BatchForm, { problems: [first] }: ReadLines): BatchProblems {
  return {
    ...(form.source === 'lines' && first !== undefined && { lines: `Line ${first.line}: ${first.message}.` }),
    ...problemsOfRun(form),
    ...numberProblems(form, NUMBERS),
  }
}

/** Null if a field is invalid or missing. */
export function requestOf(form: BatchForm, lines: ReadLines, selectedIds: readonly string[]): BatchDraft | null {
  if (missingOf(form, lines, selectedIds.length) !== null || Object.keys(problemsOf(form, lines)).length > 0) return null
  const name = form.name.trim()
  return {
    ...(name !== '' && { name }),
    ...(form.source === 'lines' && { tasks: lines.tasks }),
    ...(form.source === 'filter' && { traces: { filter: { q: form.query.trim() } } }),
    ...(form.source === 'selection' && { traces: { ids: [...selectedIds] } }),
    settings: settingsOf(form),
    attempts: Number(form.attempts),
    concurrency: Number(form.concurrency),
    maxCostUsd: optionalNumber(form.maxCostUsd),
  }
}
