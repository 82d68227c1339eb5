import type { Schema } from '#server/db/schema.ts'
import { sessionHeads } from './migrations/0015-session-heads.ts'
import { unverifiedHeads } from './migrations/0016-unverified-heads.ts'
import { traceRuns } from './migrations/0027-trace-runs.ts'
import { traces } from './migrations/0003-traces.ts'

export const tracesSchema: Schema = {
  derived: ['traces', 'trace_details', 'trace_facets', 'entries', 'responses', 'search_gone'],
  own: ['decisions', 'tags', 'tag_acts', 'notes', 'views', 'trace_runs'],
  published: ['session_heads'],
  fileNames: [
    ['traces', 'id', 'trace'],
    ['traces', 'agent', 'agent'],
  ],
  migrations: [traces, sessionHeads, unverifiedHeads, traceRuns],
}
