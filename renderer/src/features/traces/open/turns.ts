import type { TimelineRow } from '#contracts/entities/step.ts'

/** A prompt typed by the user opens a turn; what ran before the first one is turn 0 and is shown only if it exists. */
export interface TurnIndex {
  /** Turns of the session. */
  count: number
  /** Turn of each row, by index; 0 before the first prompt. */
  of: Int32Array
  /** Index of the row that opens turn n (at n − 1). */
  starts: number[]
}

export function indexTurns(rows: readonly TimelineRow[]): TurnIndex {
  const of = new Int32Array(rows.length)
  const starts: number[] = []
  rows.forEach((row, index) => {
    if (row.kind === 'prompt' && row.agent === 'main') starts.push(index)
    of[index] = starts.length
  })
  return { count: starts.length, of, starts }
}

/** "turn 12/87"; null if the session has no prompt, or before it. */
export function turnLabel(turns: TurnIndex, index: number): string | null {
  const turn = turns.of[index]
  return turn ? `turn ${turn}/${turns.count}` : null
}

/** A call that failed, or a problem that the client reported. Rejected and unanswered calls are neither. */
export const isErrorRow = (row: TimelineRow): boolean => row.success === false || row.kind === 'error'

/** The nearest error after (+1) or before (−1) an index; null at the end. Does not wrap, so that the user notices the last error. */
export function nextError(rows: readonly TimelineRow[], from: number, direction: 1 | -1): number | null {
  for (let index = from + direction; index >= 0 && index < rows.length; index += direction) {
    const row = rows[index]
    if (row && isErrorRow(row)) return index
  }
  return null
}
