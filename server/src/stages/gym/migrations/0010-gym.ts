import type { Migration } from '#server/db/schema.ts'

/** Training runs: what was asked, where they stand, their curves, logs, samples (own: the folder of a run holds the same events). */
export const gym: Migration = {
  number: 10,
  name: 'gym',
  sql: `
    CREATE TABLE runs (
      no INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they were asked for
      id TEXT NOT NULL UNIQUE, idempotency_key TEXT UNIQUE,
      name TEXT NOT NULL, state TEXT NOT NULL, strategy TEXT NOT NULL,
      base_model TEXT NOT NULL, dataset_id TEXT, dataset_name TEXT,
      asked TEXT NOT NULL, -- JSON: request, settings, paths, estimate; as it was started
      queue_place REAL, -- of those that wait, least first
      handle TEXT, -- JSON: finds the process of the trainer
      wish TEXT, -- pause, save_stop, cancel: asked of the process and not yet answered
      live TEXT NOT NULL, -- JSON: what the events so far say, with the places up to which the files were read
      error TEXT, health TEXT NOT NULL DEFAULT '[]', -- JSON
      tags TEXT NOT NULL DEFAULT '[]', note TEXT, starred INTEGER NOT NULL DEFAULT 0,
      model_id TEXT, size_bytes INTEGER,
      created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER
    ) STRICT;
    CREATE INDEX runs_by_state ON runs (state); -- the queue, and what a start has to pick up
    CREATE INDEX runs_of_dataset ON runs (dataset_id); -- what a data set was used for

    -- Curves in blocks of up to 256 points. name '': positions, five float64 a point; else one float64 a point of the block
    -- with the same number: NaN where the value was not finite, -Infinity where the point has none of this name.
    CREATE TABLE run_blocks (
      run_no INTEGER NOT NULL REFERENCES runs (no) ON DELETE CASCADE, name TEXT NOT NULL, block INTEGER NOT NULL,
      data BLOB NOT NULL, UNIQUE (run_no, name, block)
    ) STRICT;

    CREATE TABLE run_lines (
      run_no INTEGER NOT NULL REFERENCES runs (no) ON DELETE CASCADE, n INTEGER NOT NULL, at INTEGER, stream TEXT NOT NULL,
      level TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run_no, n)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE run_system (
      run_no INTEGER NOT NULL REFERENCES runs (no) ON DELETE CASCADE, seq INTEGER NOT NULL, point TEXT NOT NULL, -- JSON
      PRIMARY KEY (run_no, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE run_samples (
      run_no INTEGER NOT NULL REFERENCES runs (no) ON DELETE CASCADE, seq INTEGER NOT NULL, step INTEGER NOT NULL,
      source TEXT NOT NULL, sample TEXT NOT NULL, -- JSON
      PRIMARY KEY (run_no, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE run_checkpoints (
      run_no INTEGER NOT NULL REFERENCES runs (no) ON DELETE CASCADE, step INTEGER NOT NULL, path TEXT NOT NULL, best INTEGER NOT NULL,
      PRIMARY KEY (run_no, step)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE run_queue (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID; -- how the queue goes on
    CREATE TABLE run_presets (name TEXT PRIMARY KEY, request TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
}
