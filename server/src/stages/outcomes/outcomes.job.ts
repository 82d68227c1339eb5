import type { Outcome } from '#contracts/entities/outcome.ts'
import { type HistoryText, parseHistory } from '#server/adapters/git/index.ts'
import { knownHistory } from './known-history.ts'
import { outcomeOf, type SessionEnd } from './outcome.ts'

export interface OutcomesInput {
  sessions: readonly SessionEnd[]
  /** Null if the repository could not be read. */
  history: HistoryText | null
  days: number
  now: number
  problem: string | null
}

/** As it is stored: `facts` is JSON. */
export type OutcomeRow = Pick<Outcome, 'traceId' | 'label'> & { facts: string }

/** What happened after the sessions of one repository. */
export default function outcomesOf({ sessions, history, ...rest }: OutcomesInput): OutcomeRow[] {
  const known = history && knownHistory(parseHistory(history))
  return sessions.map((session) => {
    const { traceId, label, facts } = outcomeOf(session, known, rest)
    return { traceId, label, facts: JSON.stringify(facts) }
  })
}
