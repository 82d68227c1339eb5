import type { Migration } from '#server/db/schema.ts'

/**
 * `sources` and `archived_traces` mirror the manifests of the archive and are refilled from them alone. `derived` 0
 * means that rows are owed for bytes that are safe already. `forgotten` holds only trace ids, which are hashes.
 */
export const capture: Migration = {
  number: 2,
  name: 'capture',
  sql: `
    CREATE TABLE archived_traces (
      trace_id TEXT PRIMARY KEY, agent TEXT NOT NULL, session_id TEXT NOT NULL, sample INTEGER NOT NULL DEFAULT 0,
      derived INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX archived_traces_owed ON archived_traces (trace_id) WHERE derived = 0; -- at start: which rows are owed
    CREATE TABLE sources (
      trace_id TEXT NOT NULL, name TEXT NOT NULL, generation INTEGER NOT NULL, kind TEXT NOT NULL, original_path TEXT NOT NULL,
      bytes INTEGER NOT NULL, packed_bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, archived_at TEXT NOT NULL,
      inode INTEGER, mtime_ms REAL, size INTEGER,
      PRIMARY KEY (trace_id, name, generation)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ignored_files (
      path TEXT PRIMARY KEY, inode INTEGER NOT NULL, mtime_ms REAL NOT NULL, size INTEGER NOT NULL, why TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE forgotten (trace_id TEXT PRIMARY KEY, forgotten_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
}
