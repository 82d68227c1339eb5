import { keeps, type Schema } from '#server/db/schema.ts'
import { guardrails } from './migrations/0017-guardrails.ts'
import { guardrailSources } from './migrations/0059-guardrail-sources.ts'

export const guardrailsSchema: Schema = {
  derived: ['guardrail_sweeps'],
  own: {
    guardrail_events: keeps('a history of verdicts; the rules are in code and in settings'),
    guardrail_allowed: keeps('counts of checks'),
  },
  migrations: [guardrails, guardrailSources],
}
