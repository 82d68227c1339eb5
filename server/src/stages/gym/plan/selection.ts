import type { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import { type Row, WEIGHT } from './check-row.ts'

/** Whether a row's answers before its last user message carry no loss. */
export const learnsLastTurn = (strategy: TrainStrategy, settings: TrainSettings): boolean => strategy === 'sft' && settings.lastTurnOnly

/** A conversation whose answers before the last user message are context; by the rule of `bashgym_trainers/selection.py`. */
export function lastTurn(row: Row): Row {
  const messages = row['messages'] as { role: string }[]
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return {
    ...row,
    messages: messages.map((message, at) => (message.role === 'assistant' && at < last ? { ...message, weight: 0 } : message)),
  }
}

/** How often each row comes: as often as its weight says, what is left of one goes to the rows behind it. */
export function timesOf(weights: readonly number[]): number[] {
  let total = 0
  return weights.map((weight) => {
    const before = Math.floor(total)
    total += weight
    return Math.floor(total) - before
  })
}

/** How often a row comes where its file comes `often`: its own weight counts where it is read. */
export function weightOf(row: Row, required: readonly string[], often: number): number {
  const { [WEIGHT]: own } = row
  return often * (required.includes(WEIGHT) && typeof own === 'number' ? own : 1)
}
