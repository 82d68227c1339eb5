import type { DatasetKind } from '#contracts/entities/dataset.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { readRow } from '#server/stages/factory/preview/measuring.ts'
import { checkRow, type Row, type RowProblem } from './check-row.ts'

/** What a row of others has to become; a recorded conversation has a prompt too. */
const WANTED: Record<TrainStrategy, DatasetKind | null> = {
  sft: 'sft',
  dpo: 'dpo',
  kto: 'kto',
  grpo: 'prompts',
  rlvr: 'prompts',
  distillation: null,
}

/** A line as the trainers read it. `isForeign`: as others write it (TRL, OpenAI, ShareGPT, plain columns), and brought to our shape. */
export function rowOf(
  text: string,
  strategy: TrainStrategy,
  required: readonly string[],
): { row: Row; isForeign: boolean } | { problem: RowProblem } {
  const own = checkRow(text, strategy, required)
  if (!('problem' in own)) return { row: own.row, isForeign: false }
  if (own.row === null) return own
  const read = readRow(own.row, {}, WANTED[strategy] ?? undefined)
  if ('errors' in read) {
    const [first] = read.errors
    const isKnown = first !== undefined && first.field !== '' && own.problem.message.startsWith('it has no ')
    return { problem: isKnown ? { field: first.field, message: `${first.field}: ${first.message.replace(/\.$/, '')}` } : own.problem }
  }
  const { weight } = own.row
  const row = { ...kept(own.row, required), ...(weight === undefined ? {} : { weight }), ...read.row }
  const again = checkRow(JSON.stringify(row), strategy, required)
  return 'problem' in again ? { problem: again.problem } : { row: again.row, isForeign: true }
}

const kept = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name]]] : [])))
