import type { BatchTask } from '#contracts/entities/batch.ts'
import { type LineProblem, readTaskLines } from '#contracts/task-lines.ts'
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
  wrongNumbers,
} from '../../run-form/form.ts'

/** The form as it is typed. */
export interface BatchForm extends RunForm {
  name: string
  source: 'lines' | 'filter' | 'selection'
  lines: string
  /** What folders in lines are relative to. */
  folder: string
  /** Which sessions are done again. */
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
  { name: 'attempts', least: 1, most: 100, isWhole: true, mayBeEmpty: false },
  { name: 'concurrency', least: 1, most: 64, isWhole: true, mayBeEmpty: false },
  { name: 'maxCostUsd', least: 0.000_001, most: 100_000, isWhole: false, mayBeEmpty: true },
] as const satisfies readonly NumberRule<keyof BatchForm>[]

export interface ReadLines {
  tasks: BatchTask[]
  problems: LineProblem[]
  /** A folder of a task is relative. */
  isRelative: boolean
}

/** The tasks that the lines have. A folder that is relative needs one that it is relative to. */
export function readLines({ lines, folder }: Pick<BatchForm, 'lines' | 'folder'>): ReadLines {
  let isRelative = false
  const base = folder.trim().replace(/\/+$/, '')
  const folderOf = (directory: string) => {
    if (directory.startsWith('/')) return directory
    isRelative = true
    return folder.trim().startsWith('/') ? `${base}/${directory}` : null
  }
  const read = readTaskLines(lines, { folderOf, keyOf: (_, line) => `line ${line}` })
  return { ...read, isRelative }
}

/** What is still missing: shown in the plan, not as an error. */
export function missingOf(form: BatchForm, { tasks, problems }: ReadLines, chosen: number): string | null {
  if (form.source === 'selection' && chosen === 0) return 'Select sessions on the page of traces.'
  if (form.source === 'lines' && tasks.length === 0 && problems.length === 0) return 'Paste tasks, or choose a file of them.'
  return missingOfRun(form)
}

/** What is filled in wrongly, by field. */
export function problemsOf(form: BatchForm, { problems: [first] }: ReadLines): BatchProblems {
  return {
    ...(form.source === 'lines' && first !== undefined && { lines: `Line ${first.line}: ${first.message}.` }),
    ...problemsOfRun(form),
    ...wrongNumbers(form, NUMBERS),
  }
}

/** Null: something is wrong or missing. */
export function requestOf(form: BatchForm, lines: ReadLines, chosen: readonly string[]): BatchDraft | null {
  if (missingOf(form, lines, chosen.length) !== null || Object.keys(problemsOf(form, lines)).length > 0) return null
  const name = form.name.trim()
  return {
    ...(name !== '' && { name }),
    ...(form.source === 'lines' && { tasks: lines.tasks }),
    ...(form.source === 'filter' && { traces: { filter: { q: form.query.trim() } } }),
    ...(form.source === 'selection' && { traces: { ids: [...chosen] } }),
    settings: settingsOf(form),
    attempts: Number(form.attempts),
    concurrency: Number(form.concurrency),
    maxCostUsd: optionalNumber(form.maxCostUsd),
  }
}
