import { keeps, type Schema } from '#server/db/schema.ts'
import { guardrails } from './migrations/0017-guardrails.ts'
import { taintAndInstalled } from './migrations/0062-taint-and-installed.ts'
import { guardrailSources } from './migrations/0059-guardrail-sources.ts'

export const guardrailsSchema: Schema = {
  derived: ['guardrail_sweeps', 'guardrail_taint'],
  own: {
    guardrail_events: keeps('a history of verdicts; the rules are in code and in settings'),
    guardrail_allowed: keeps('counts of checks'),
    installed_parts: keeps('hashes and times of what is installed in the client'),
  },
  migrations: [guardrails, guardrailSources, taintAndInstalled],
}
