import type { Migration } from '#server/db/schema.ts'

/** Sandboxes that were described, and the commands of their sessions (own). */
export const sandboxes: Migration = {
  number: 18,
  name: 'sandboxes',
  sql: `
    CREATE TABLE sandboxes (
      no INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they were made
      id TEXT NOT NULL UNIQUE,
      backend TEXT NOT NULL,
      spec TEXT NOT NULL, -- JSON: all that was asked for
      status TEXT NOT NULL, -- created, started, exited, stopped
      isolation TEXT, -- JSON: as applied
      commands INTEGER NOT NULL DEFAULT 0, -- of sessions
      last_standalone_exit_code INTEGER,
      created_at INTEGER NOT NULL, started_at INTEGER, last_used_at INTEGER, ended_at INTEGER,
      end_reason TEXT, error TEXT
    ) STRICT;
    CREATE INDEX sandboxes_of_status ON sandboxes (status, no);

    CREATE TABLE sandbox_commands (
      sandbox_no INTEGER NOT NULL REFERENCES sandboxes (no) ON DELETE CASCADE,
      position INTEGER NOT NULL, -- from 0 on, over all sessions
      session TEXT NOT NULL, command TEXT NOT NULL,
      at INTEGER NOT NULL, -- milliseconds since the start
      result TEXT, -- JSON; null: it never ended
      PRIMARY KEY (sandbox_no, position)
    ) STRICT, WITHOUT ROWID;
  `,
}
