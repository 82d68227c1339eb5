import type { Migration } from '#server/db/schema.ts'

/** Runs of agents, and what each told of its work (own). */
export const tasks: Migration = {
  number: 22,
  name: 'tasks',
  sql: `
    CREATE TABLE tasks (
      no INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL,
      title TEXT NOT NULL,
      batch_id TEXT,
      idempotency_key TEXT UNIQUE,
      request TEXT NOT NULL, -- JSON
      facts TEXT NOT NULL, -- JSON
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      ended_at INTEGER
    ) STRICT;
    CREATE INDEX tasks_state ON tasks (state);
    CREATE INDEX tasks_batch ON tasks (batch_id) WHERE batch_id IS NOT NULL;
    CREATE TABLE task_events (
      task_no INTEGER NOT NULL REFERENCES tasks (no) ON DELETE CASCADE,
      no INTEGER NOT NULL, -- from 1 on
      at INTEGER NOT NULL,
      event TEXT NOT NULL, -- JSON
      PRIMARY KEY (task_no, no)
    ) STRICT, WITHOUT ROWID;
  `,
}
