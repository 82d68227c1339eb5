import { keeps, type Schema } from '#server/db/schema.ts'
import { guardrails } from './migrations/0017-guardrails.ts'

export const guardrailsSchema: Schema = {
  own: {
    guardrail_events: keeps('a history of verdicts; the rules are in code'),
  },
  migrations: [guardrails],
}
