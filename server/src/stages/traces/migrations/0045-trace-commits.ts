import type { Migration } from '#server/db/schema.ts'

/** The commits that sessions made. Sessions are read again to fill them. */
export const traceCommits: Migration = {
  number: 45,
  name: 'trace commits',
  sql: `ALTER TABLE trace_details ADD COLUMN commits TEXT NOT NULL DEFAULT '[]'; -- JSON: sha, stepId, at`,
}
