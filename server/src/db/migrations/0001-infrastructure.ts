import type { Migration } from '../schema.ts'

/** Epoch, settings, events, jobs: what every stage relies on. */
export const infrastructure: Migration = {
  number: 1,
  name: 'infrastructure',
  sql: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE events (seq INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, at INTEGER NOT NULL, payload TEXT NOT NULL) STRICT;
    CREATE TABLE jobs (
      id TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,
      progress TEXT, result TEXT, error TEXT
    ) STRICT;
    CREATE INDEX jobs_by_time ON jobs (created_at DESC, id DESC); -- GET /api/jobs
    CREATE INDEX jobs_by_kind ON jobs (kind, created_at DESC); -- GET /api/imports, and "is one running"
  `,
}
