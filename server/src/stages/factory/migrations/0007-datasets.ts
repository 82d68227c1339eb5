import type { Migration } from '#server/db/schema.ts'

/** Versions of data sets, and rows from outside (own). */
export const datasets: Migration = {
  number: 7,
  name: 'datasets',
  sql: `
    -- A version exists when its row and its folder datasets/<id>/ do; its manifest lies in the folder.
    CREATE TABLE datasets (
      no INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they were made
      id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, version INTEGER NOT NULL, kind TEXT NOT NULL, created_at INTEGER NOT NULL,
      counts TEXT NOT NULL, -- JSON
      size_bytes INTEGER NOT NULL,
      removed_at INTEGER, -- then its folder is datasets/.removed-<id>/ for 30 days
      UNIQUE (name, version)
    ) STRICT;

    -- On which side a session stood in a version of this name: later versions keep it.
    CREATE TABLE dataset_sides (
      name TEXT NOT NULL, trace_id TEXT NOT NULL, side TEXT NOT NULL, PRIMARY KEY (name, trace_id)
    ) STRICT, WITHOUT ROWID;

    -- Rows from outside, datasets/collections/<id>.jsonl.
    CREATE TABLE row_collections (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL,
      sha256 TEXT NOT NULL, source TEXT NOT NULL, created_at INTEGER NOT NULL
    ) STRICT;
  `,
}
