import type { DatasetKind } from '#contracts/entities/dataset.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { readRow } from '#server/stages/factory/preview/measuring.ts'
import { checkRow, type Row, type RowProblem } from './check-row.ts'

/** Kind that another program's row is converted to; null: any, because distillation takes conversations and prompts. */
const WANTED: Record<TrainStrategy, DatasetKind | null> = {
  sft: 'sft',
  dpo: 'dpo',
  kto: 'kto',
  grpo: 'prompts',
  rlvr: 'prompts',
  distillation: null,
}

/** Parses a line into the trainers' format. `isForeign`: it was converted from another format (TRL, OpenAI, ShareGPT, plain columns). */
export function rowOf(
  text: string,
  strategy: TrainStrategy,
  required: readonly string[],
): { row: Row; isForeign: boolean } | { problem: RowProblem } {
  const checked = checkRow(text, strategy, required)
  if (!('problem' in checked)) return { row: checked.row, isForeign: false }
  if (checked.row === null) return checked
  const converted = readRow(checked.row, {}, WANTED[strategy] ?? undefined)
  if ('errors' in converted) {
    const [first] = converted.errors
    const namesField = first !== undefined && first.field !== '' && checked.problem.message.startsWith('it has no ')
    return {
      problem: namesField ? { field: first.field, message: `${first.field}: ${first.message.replace(/\.$/, '')}` } : checked.problem,
    }
  }
  const { weight } = checked.row
  const row = { ...pick(checked.row, required), ...(weight === undefined ? {} : { weight }), ...converted.row }
  const rechecked = checkRow(JSON.stringify(row), strategy, required)
  return 'problem' in rechecked ? { problem: rechecked.problem } : { row: rechecked.row, isForeign: true }
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name]]] : [])))
