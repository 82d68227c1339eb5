import type { Migration } from '#server/db/schema.ts'

/** Sets of benchmarks with the items that were asked, runs, answers, and their verdicts. Items and answers are never changed. */
export const benchmarks: Migration = {
  number: 38,
  name: 'benchmarks',
  sql: `
    CREATE TABLE benchmark_sets (
      no INTEGER PRIMARY KEY,
      benchmark TEXT NOT NULL,
      part TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      source TEXT NOT NULL,
      revision TEXT,
      items INTEGER NOT NULL,
      own INTEGER NOT NULL,
      UNIQUE (benchmark, part, sha256)
    ) STRICT;
    CREATE TABLE benchmark_items (
      set_no INTEGER NOT NULL REFERENCES benchmark_sets (no),
      no INTEGER NOT NULL,
      id TEXT NOT NULL,
      body TEXT NOT NULL,
      broken TEXT, -- why its own solution fails here; empty: it passes; null: not tried
      PRIMARY KEY (set_no, no)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE benchmark_runs (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      benchmark TEXT NOT NULL,
      set_no INTEGER NOT NULL REFERENCES benchmark_sets (no),
      state TEXT NOT NULL, -- running, done, cancelled, stopped
      detail TEXT,
      request TEXT NOT NULL,
      model TEXT NOT NULL, -- its identity
      model_id TEXT, -- in the registry
      label TEXT NOT NULL,
      chosen TEXT, -- numbers of its items; null: all of the set
      items INTEGER NOT NULL,
      samples INTEGER NOT NULL,
      charged TEXT NOT NULL,
      is_priced INTEGER NOT NULL,
      contamination TEXT,
      versions TEXT NOT NULL,
      idempotency_key TEXT UNIQUE,
      created_at INTEGER NOT NULL,
      ended_at INTEGER
    ) STRICT;
    CREATE INDEX benchmark_runs_by_benchmark ON benchmark_runs (benchmark, no);
    CREATE INDEX benchmark_runs_by_model ON benchmark_runs (model_id, no);
    CREATE TABLE benchmark_answers (
      run_no INTEGER NOT NULL REFERENCES benchmark_runs (no),
      item_no INTEGER NOT NULL,
      sample INTEGER NOT NULL,
      text TEXT, -- null: no answer came
      calls TEXT NOT NULL,
      stopped TEXT,
      error TEXT,
      tokens INTEGER,
      ms INTEGER,
      at INTEGER NOT NULL,
      PRIMARY KEY (run_no, item_no, sample)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE benchmark_verdicts (
      run_no INTEGER NOT NULL REFERENCES benchmark_runs (no),
      item_no INTEGER NOT NULL,
      sample INTEGER NOT NULL,
      verdict TEXT NOT NULL, -- pass, fail, truncated, timeout, not_scored, error
      extracted TEXT,
      reason TEXT,
      suspicious TEXT,
      mark TEXT, -- what figures need beside the verdict
      at INTEGER NOT NULL,
      PRIMARY KEY (run_no, item_no, sample)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX benchmark_verdicts_by_verdict ON benchmark_verdicts (run_no, verdict);
  `,
}
