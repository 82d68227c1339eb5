import type { Schema } from '#server/db/schema.ts'
import { guardrails } from './migrations/0017-guardrails.ts'

export const guardrailsSchema: Schema = {
  own: ['guardrail_events'],
  migrations: [guardrails],
}
