import type { Migration } from '#server/db/schema.ts'

/** Sessions that come from runs of agents (own): nothing in the archive tells it. */
export const traceRuns: Migration = {
  number: 27,
  name: 'trace runs',
  sql: `
    CREATE TABLE trace_runs (
      trace_id TEXT PRIMARY KEY,
      task_id TEXT NOT NULL,
      title TEXT NOT NULL -- of the run, which tells attempts at one task apart
    ) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO trace_runs (trace_id, task_id, title)
      SELECT facts ->> '$.traceId', id, title FROM tasks WHERE facts ->> '$.traceId' IS NOT NULL ORDER BY no DESC;
  `,
}
