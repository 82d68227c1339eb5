import type { OutcomeLabel } from '#contracts/entities/outcome.ts'
import type { Tier } from '#contracts/entities/common.ts'
import type { Database } from '#server/db/open.ts'

/** What is known of a session's work afterwards: it stayed, or was corrected. Null if neither. For workers. */
export type KnownOutcome = Extract<OutcomeLabel, 'kept' | 'corrected'> | null

export function knownOutcome(db: Database, traceId: string): KnownOutcome {
  const label = db.prepare<[string], { label: OutcomeLabel }>('SELECT label FROM trace_outcomes WHERE trace_id = ?').get(traceId)?.label
  return label === 'kept' || label === 'corrected' ? label : null
}

/** Whether its work is wanted: by the outcome if it is known, else by the tier; null for neither. */
export function isWanted({ tier, outcome }: { tier: Tier; outcome?: KnownOutcome }): boolean | null {
  if (outcome) return outcome === 'kept'
  return tier === 'gold' || tier === 'silver' ? true : tier === 'failed' ? false : null
}
