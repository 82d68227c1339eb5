import type { EntryRow } from './derived.ts'

/** What of an entry tells how long the user was waited for. */
export type TimedEntry = Pick<EntryRow, 'kind' | 'agent' | 'at' | 'endedAt' | 'tool' | 'rejectedBy'>

export interface Wait<Row extends TimedEntry> {
  /** The prompt that ended it, or the call that asked the user. */
  row: Row
  from: number
  to: number
}

/** Calls that only ask the user. */
const ASKS: ReadonlySet<string | null> = new Set(['AskUserQuestion', 'ExitPlanMode'])

/**
 * When the main conversation waited for the user: from the end of its work to the next prompt, and while a call asked the user
 * or the user refused it. The time in front of a call that the user allowed is not recorded, and counts as the call's.
 * A prompt that was sent before the work ended, and times that go back, make no wait.
 */
export function* waitsOf<Row extends TimedEntry>(rows: Iterable<Row>): Generator<Wait<Row>> {
  let until: number | null = null
  for (const row of rows) {
    const { at, endedAt } = row
    if (row.agent !== 'main' || at === null) continue
    if (row.kind === 'prompt' && until !== null && at > until) yield { row, from: until, to: at }
    if (row.kind === 'call' && endedAt !== null && endedAt > at && (ASKS.has(row.tool) || row.rejectedBy === 'user'))
      yield { row, from: at, to: endedAt }
    until = Math.max(until ?? at, at, endedAt ?? at)
  }
}

/** Milliseconds that were spent waiting; waits at the same time count once. */
export const waitingTime = (rows: Iterable<TimedEntry>): number => unionOf([...waitsOf(rows)])

/** How long at least one of the periods lasted. */
export function unionOf(periods: readonly { from: number; to: number }[]): number {
  let total = 0
  let end = -Infinity
  for (const { from, to } of periods.toSorted((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return total
}
