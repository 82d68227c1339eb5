import type { Migration } from '#server/db/schema.ts'

/** Batches of runs of agents, as they were asked for (own); their runs tell how far they are. */
export const taskBatches: Migration = {
  number: 23,
  name: 'task batches',
  sql: `
    CREATE TABLE task_batches (
      no INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL, -- running, done, cancelled, stopped
      detail TEXT,
      again TEXT NOT NULL, -- JSON: runs without a result that are made again
      request TEXT NOT NULL, -- JSON
      refused TEXT NOT NULL, -- JSON: attempts that could not be begun
      idempotency_key TEXT UNIQUE,
      created_at INTEGER NOT NULL,
      ended_at INTEGER
    ) STRICT;
  `,
}
