import type { Migration } from '#server/db/schema.ts'

/** Which sessions each version of a data set was made from. Versions that were built before are read from their manifests at the next start. */
export const datasetSessions: Migration = {
  number: 42,
  name: 'dataset sessions',
  sql: `
    CREATE TABLE dataset_sessions (
      dataset_id TEXT NOT NULL, trace_id TEXT NOT NULL, split TEXT NOT NULL,
      PRIMARY KEY (dataset_id, trace_id, split)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dataset_sessions_by_trace ON dataset_sessions (trace_id, dataset_id, split); -- what a session is in; its deletion
    ALTER TABLE datasets ADD COLUMN sessions_stored INTEGER NOT NULL DEFAULT 0;
  `,
}
