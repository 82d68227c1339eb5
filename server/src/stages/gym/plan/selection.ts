import type { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import { type Row, WEIGHT } from './check-row.ts'

/** Whether answers before a row's last user message carry no loss. */
export const learnsLastTurn = (strategy: TrainStrategy, settings: TrainSettings): boolean => strategy === 'sft' && settings.lastTurnOnly

/** The row with all answers before the last user message excluded from the loss, as in `bashgym_trainers/selection.py`. */
export function lastTurn(row: Row): Row {
  const messages = row['messages'] as { role: string }[]
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return {
    ...row,
    messages: messages.map((message, at) => (message.role === 'assistant' && at < last ? { ...message, weight: 0 } : message)),
  }
}

/** How often each row occurs in an epoch: its weight, whose fraction is carried over to the following rows. */
export function repeatsOf(weights: readonly number[]): number[] {
  let total = 0
  return weights.map((weight) => {
    const before = Math.floor(total)
    total += weight
    return Math.floor(total) - before
  })
}

/** The weight of a row: the weight of its file times the row's `weight`, if row weights are on. */
export function weightOf(row: Row, required: readonly string[], fileWeight: number): number {
  const { [WEIGHT]: own } = row
  return fileWeight * (required.includes(WEIGHT) && typeof own === 'number' ? own : 1)
}
