import type { Migration } from '#server/db/schema.ts'

/** What happened after sessions (own): a repository may be gone when it is looked up again. */
export const traceOutcomes: Migration = {
  number: 46,
  name: 'trace outcomes',
  sql: `
    CREATE TABLE trace_outcomes (
      trace_id TEXT PRIMARY KEY, label TEXT NOT NULL, days INTEGER NOT NULL, at INTEGER NOT NULL,
      facts TEXT NOT NULL, -- JSON
      problem TEXT
    ) STRICT, WITHOUT ROWID;
  `,
}
