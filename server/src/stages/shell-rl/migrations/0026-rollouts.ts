import type { Migration } from '#server/db/schema.ts'

/** Sets of rollouts with their tasks as they were, and what came of each episode (own); turns are in files. */
export const rollouts: Migration = {
  number: 26,
  name: 'rollouts',
  sql: `
    CREATE TABLE rollout_sets (
      no INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      state TEXT NOT NULL, -- running, done, cancelled, stopped
      detail TEXT,
      model TEXT,
      settings TEXT NOT NULL, -- JSON
      tasks INTEGER NOT NULL,
      counts TEXT NOT NULL, -- JSON
      cost_usd REAL,
      idempotency_key TEXT UNIQUE,
      created_at INTEGER NOT NULL,
      ended_at INTEGER
    ) STRICT;
    CREATE TABLE rollout_tasks (
      set_no INTEGER NOT NULL,
      grp INTEGER NOT NULL,
      difficulty INTEGER,
      task TEXT NOT NULL, -- JSON
      scored INTEGER, -- episodes with a reward, once all have ended
      mean REAL,
      std REAL,
      zero_variance INTEGER,
      PRIMARY KEY (set_no, grp)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rollout_episodes (
      set_no INTEGER NOT NULL,
      place INTEGER NOT NULL, -- group by group, attempt by attempt
      grp INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      task_id TEXT NOT NULL,
      difficulty INTEGER,
      status TEXT NOT NULL, -- ok, corrupted, error
      success INTEGER,
      turns INTEGER NOT NULL,
      nonzero_exit_codes INTEGER NOT NULL,
      codes TEXT NOT NULL, -- JSON
      reward REAL,
      terms TEXT, -- JSON
      advantage REAL,
      facts TEXT NOT NULL, -- JSON
      started_at INTEGER NOT NULL,
      duration_ms REAL NOT NULL,
      PRIMARY KEY (set_no, place)
    ) STRICT, WITHOUT ROWID;
  `,
}
