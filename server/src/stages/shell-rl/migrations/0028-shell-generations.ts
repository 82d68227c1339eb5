import type { Migration } from '#server/db/schema.ts'

/** Generations of shell tasks and what each candidate came to (own): a stopped one goes on from here. */
export const shellGenerations: Migration = {
  number: 28,
  name: 'shell generations',
  sql: `
    CREATE TABLE shell_generations (
      no INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL, -- running, completed, cancelled, budget, failed, interrupted
      message TEXT,
      request TEXT NOT NULL, -- JSON
      tokens INTEGER NOT NULL DEFAULT 0, -- with what is reserved for requests under way
      usd REAL NOT NULL DEFAULT 0, -- as above; of no meaning without a price
      is_priced INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      ended_at INTEGER
    ) STRICT;
    CREATE TABLE shell_candidates (
      generation TEXT NOT NULL REFERENCES shell_generations (id) ON DELETE CASCADE,
      no INTEGER NOT NULL, -- from 0 on, in its difficulty: also which pair of seeds it was asked for with
      difficulty INTEGER NOT NULL,
      state TEXT NOT NULL, -- open, kept, rejected
      body TEXT, -- JSON of what the model wrote, once it could be read
      rollouts TEXT NOT NULL DEFAULT '[]', -- JSON: tries that came to a result
      reason TEXT, -- of a rejection
      detail TEXT,
      task_id TEXT, -- of a kept one
      PRIMARY KEY (generation, difficulty, no)
    ) STRICT, WITHOUT ROWID;
  `,
}
