import { parseShallow } from '#server/shallow-json.ts'
import type { Reward, TrainSettings, TrainStrategy } from '#contracts/trainer.ts'

/** Why a row cannot be trained on; `field` is the column at fault, null for the row itself. */
export interface RowProblem {
  field: string | null
  message: string
}

export type Row = Record<string, unknown>

const COLUMNS: Record<Exclude<TrainStrategy, 'distillation'>, readonly string[]> = {
  sft: ['messages'],
  dpo: ['prompt', 'chosen', 'rejected'],
  kto: ['prompt', 'completion', 'label'],
  grpo: ['prompt'],
  rlvr: ['prompt'],
}

/** Columns that the settings need in every row. */
export const requiredColumns = (strategy: TrainStrategy, settings: TrainSettings, hasShellTasks: boolean): string[] => [
  ...(hasShellTasks ? [ENVIRONMENT] : []),
  ...rewardColumns(settings.rewards),
  ...distillColumns(strategy, settings.distill),
  ...(settings.rowWeights ? [WEIGHT] : []),
]

/** Column of shell tasks with the arguments that reset their environment. */
export const ENVIRONMENT = 'environment'

/** Column with the row's weight, if row weights are on; 1 if a row lacks it. */
export const WEIGHT = 'weight'
const MAX_WEIGHT = 1000

const rewardColumns = (rewards: readonly Reward[]): string[] =>
  [...new Set(rewards.flatMap(({ kind }) => (kind === 'tool_call' ? 'reference_calls' : kind === 'exact' ? 'answer' : kind === 'tests' ? 'tests' : [])))].toSorted() // prettier-ignore

/** The teacher's logits are computed over recorded answers. */
const distillColumns = (strategy: TrainStrategy, distill: TrainSettings['distill']): string[] =>
  strategy === 'distillation' && distill === 'logits' ? ['messages'] : []

/** Checks a line of a data file by the rules of the trainers (`bashgym_trainers/data.py`). `row` of a problem: the parsed line, if it is an object. */
export function checkRow(
  text: string,
  strategy: TrainStrategy,
  required: readonly string[],
): { row: Row; isExact: boolean } | { problem: RowProblem; row: Row | null; isExact: boolean } {
  let row: unknown
  let isExact: boolean
  try {
    ;({ value: row, isExact } = parseShallow(text))
  } catch {
    return { problem: { field: null, message: 'it is not valid JSON' }, row: null, isExact: true } // without the parser's reason, which quotes the line
  }
  if (!isObject(row)) return { problem: { field: null, message: 'it is not an object' }, row: null, isExact }
  const problem = problemOf(row, strategy, required)
  return problem === null ? { row, isExact } : { problem, row, isExact }
}

/** Why a row in the trainers' format cannot be trained on. */
export function problemOf(row: Row, strategy: TrainStrategy, required: readonly string[]): RowProblem | null {
  for (const column of [...columnsOf(row, strategy), ...required]) {
    if (column === WEIGHT && !Object.hasOwn(row, column)) continue // its weight is 1
    if (!Object.hasOwn(row, column)) {
      const has = Object.keys(row).toSorted().join(', ') || 'nothing'
      return { field: column, message: `it has no ${column}, which ${strategy} needs; it has ${has}` }
    }
    const problem = columnProblem(column, row[column])
    if (problem !== null) return { field: column, message: problem }
  }
  const { tools } = row
  if (tools && !(Array.isArray(tools) && tools.every(isObject))) return { field: 'tools', message: 'tools must be a list of objects' }
  return null
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function columnsOf(row: Row, strategy: TrainStrategy): readonly string[] {
  if (strategy !== 'distillation') return COLUMNS[strategy]
  return 'messages' in row && !('prompt' in row) ? ['messages'] : ['prompt'] // a recorded conversation has a prompt too
}

function columnProblem(column: string, value: unknown): string | null {
  switch (column) {
    case 'label':
      return typeof value === 'boolean' ? null : 'label must be true or false'
    case 'weight':
      return typeof value === 'number' && value >= 0 && value <= MAX_WEIGHT ? null : `weight must be a number from 0 to ${MAX_WEIGHT}`
    case 'answer':
    case 'tests':
      return typeof value === 'string' && value.trim() !== '' ? null : `${column} must be text`
    case ENVIRONMENT:
      return isObject(value) && Object.keys(value).length > 0
        ? null
        : `${ENVIRONMENT} must be an object with the arguments of the task's reset`
    case 'reference_calls': {
      const isFine =
        Array.isArray(value) && value.every((call) => isObject(call) && typeof call['name'] === 'string' && isObject(call['arguments']))
      return isFine ? null : 'reference_calls must be a list of {name, arguments}'
    }
    default:
      return messagesProblem(column, value)
  }
}

function messagesProblem(column: string, value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0) return `${column} must be a list of messages`
  for (const [index, message] of value.entries()) {
    const where = `${column}[${index}]`
    if (!isObject(message) || typeof message['role'] !== 'string') return `${where} has no role`
    if (typeof (message['content'] ?? '') !== 'string') return `${where}.content must be text`
    const calls: unknown = message['tool_calls'] ?? []
    if (!Array.isArray(calls)) return `${where}.tool_calls must be a list`
    for (const call of calls as unknown[]) {
      const calledFunction = isObject(call) ? call['function'] : null
      if (!isObject(calledFunction) || !isObject(calledFunction['arguments']))
        return `${where}: the arguments of a tool call must be an object`
    }
  }
  return null
}
