import type { Migration } from '#server/db/schema.ts'

/** What the checks of sessions said (own); refers to nothing that rebuild makes. */
export const traceChecks: Migration = {
  number: 21,
  name: 'trace checks',
  sql: `
    CREATE TABLE trace_checks (
      trace_id TEXT PRIMARY KEY, at INTEGER NOT NULL, status TEXT NOT NULL, -- passed, failed, error, none
      runner TEXT, calls INTEGER NOT NULL, -- that the session had then
      counts INTEGER NOT NULL, report BLOB NOT NULL -- whether the score takes it; a CheckReport as JSON, zstd
    ) STRICT, WITHOUT ROWID;
  `,
}
