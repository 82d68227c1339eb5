import { isDeepStrictEqual } from 'node:util'
import { LONG_NUMBERS, type DatasetKind } from '#contracts/entities/dataset.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { convertRow } from '#server/stages/factory/preview/measuring.ts'
import { checkRow, problemOf, type Row, type RowProblem, WEIGHT } from './check-row.ts'

/** Kind that another program's row is converted to; null: any, because distillation takes conversations and prompts. */
const WANTED: Record<TrainStrategy, DatasetKind | null> = {
  sft: 'sft',
  dpo: 'dpo',
  kto: 'kto',
  grpo: 'prompts',
  rlvr: 'prompts',
  distillation: null,
}

/** Columns of an answer, which a strategy that generates the answers does not read. */
const ANSWERS = ['completion', 'chosen', 'rejected', 'label']

/** `isForeign`: the row must be copied, because it was converted from another format (TRL, OpenAI, ShareGPT, plain columns). */
export interface ParsedRow {
  row: Row
  isForeign: boolean
  /** Columns by other names, and what they are read as; null: they are not used. */
  uses: ReadonlyMap<string, string | null>
}

/** Reads a row into the trainers' format, with the reader of `dataset import`. */
export function rowOf(text: string, strategy: TrainStrategy, required: readonly string[]): ParsedRow | { problem: RowProblem } {
  const checked = checkRow(text, strategy, required)
  if ('problem' in checked && checked.row === null) return checked
  const longNumbers: [string, string][] = checked.isExact ? [] : [[LONG_NUMBERS, 'text']]
  const given = 'problem' in checked ? checked.row! : checked.row
  const takesPrompts = WANTED[strategy] === 'prompts' || (strategy === 'distillation' && !required.includes('messages'))
  const columns = takesPrompts && given['prompt'] ? without(given, ANSWERS) : given
  const converted = convertRow(columns, {}, WANTED[strategy] ?? undefined)
  if ('errors' in converted) {
    const [first] = converted.errors
    // what only the reader does not know, such as a role, a template may have; a result without a call teaches nonsense
    const isStrayResult = first?.field.endsWith('.tool_call_id') === true
    if (!('problem' in checked) && !isStrayResult) return { row: checked.row, isForeign: false, uses: new Map(longNumbers) }
    if (first && first.field !== '' && (!('problem' in checked) || first.field !== checked.problem.field))
      return { problem: { field: first.field, message: `${first.field}: ${first.message.replace(/\.$/, '')}` } }
    return { problem: 'problem' in checked ? checked.problem : { field: null, message: 'it cannot be read' } }
  }
  const row: Row = { ...pick(given, [...required, WEIGHT]), ...converted.row }
  if (typeof row[WEIGHT] === 'string' && row[WEIGHT].trim() !== '') row[WEIGHT] = Number(row[WEIGHT])
  if (row[WEIGHT] === null) delete row[WEIGHT]
  const problem = problemOf(row, strategy, required)
  if (problem !== null) return { problem }
  const isForeign = 'problem' in checked || !isDeepStrictEqual({ tools: [], ...pick(given, Object.keys(row)) }, row)
  const uses = new Map([...[...converted.uses].filter(([name]) => !required.includes(name)), ...longNumbers])
  return { row, isForeign, uses }
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name]]] : [])))
const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
