import { keeps, type Schema } from '#server/db/schema.ts'
import { sessionHeads } from './migrations/0015-session-heads.ts'
import { unverifiedHeads } from './migrations/0016-unverified-heads.ts'
import { billedUsage } from './migrations/0032-billed-usage.ts'
import { traceRuns } from './migrations/0027-trace-runs.ts'
import { traceRunRepos } from './migrations/0031-trace-run-repos.ts'
import { traceAnswerScores } from './migrations/0040-trace-answer-scores.ts'
import { abandoned } from './migrations/0033-abandoned.ts'
import { traceCommits } from './migrations/0045-trace-commits.ts'
import { requestTimes } from './migrations/0052-request-times.ts'
import { studentEntries } from './migrations/0055-student-entries.ts'
import { spanTimes } from './migrations/0058-span-times.ts'
import { traces } from './migrations/0003-traces.ts'

export const tracesSchema: Schema = {
  derived: ['traces', 'trace_details', 'trace_facets', 'entries', 'responses', 'search_gone'],
  own: {
    decisions: keeps('tiers of sessions'),
    tags: keeps('words about sessions'),
    tag_acts: keeps('a history of tags'),
    notes: keeps('text about sessions'),
    views: keeps('saved searches'),
    trace_runs: keeps('titles of the runs that sessions come from'),
    trace_answer_scores: keeps('numbers'),
  },
  published: ['session_heads', 'own_sessions', 'own_requests', 'own_calls', 'own_turns', 'student_entries', 'trace_answer_scores'],
  fileNames: [
    ['traces', 'id', 'trace'],
    ['traces', 'agent', 'agent'],
  ],
  migrations: [
    traces,
    sessionHeads,
    unverifiedHeads,
    traceRuns,
    traceRunRepos,
    billedUsage,
    abandoned,
    traceAnswerScores,
    traceCommits,
    requestTimes,
    studentEntries,
    spanTimes,
  ],
}
