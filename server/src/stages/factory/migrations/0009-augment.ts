import type { Migration } from '#server/db/schema.ts'

/** Variants of examples: runs, what they cost, answers that were paid for, and what was kept of them (own). */
export const augment: Migration = {
  number: 9,
  name: 'augment',
  sql: `
    CREATE TABLE augment_runs (
      no INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they were begun
      id TEXT NOT NULL UNIQUE, job_id TEXT NOT NULL, -- of the job that works on it now, or did last
      state TEXT NOT NULL, -- running, completed, budget, failed, cancelled, interrupted
      plan TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, budget TEXT NOT NULL, -- JSON, but for the names
      examples TEXT NOT NULL, -- JSON list of the ids that were chosen
      total INTEGER NOT NULL, progress TEXT NOT NULL, -- JSON {done, kept, cached, rejected, failed}
      priced INTEGER NOT NULL, message TEXT, created_at INTEGER NOT NULL, ended_at INTEGER
    ) STRICT;
    CREATE INDEX augment_runs_of_job ON augment_runs (job_id); -- the run of a job

    -- What a run paid for a request: the most that it can cost from before it is sent until it is answered.
    CREATE TABLE augment_charges (
      run_id TEXT NOT NULL, key TEXT NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, usd REAL NOT NULL,
      open_tokens INTEGER NOT NULL, open_usd REAL NOT NULL, -- reserved, and not settled
      PRIMARY KEY (run_id, key)
    ) STRICT, WITHOUT ROWID;

    -- By sha256 of provider, model, request, example and variant: what was answered is not paid for twice.
    CREATE TABLE augment_answers (
      key TEXT PRIMARY KEY, trace_id TEXT NOT NULL, example_id TEXT NOT NULL, variant INTEGER NOT NULL,
      provider TEXT NOT NULL, model TEXT NOT NULL, policy_hash TEXT NOT NULL,
      text TEXT NOT NULL, stopped TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX augment_answers_of_trace ON augment_answers (trace_id); -- those that go with a session
    CREATE INDEX augment_answers_of_example ON augment_answers (example_id, variant); -- estimates

    CREATE TABLE example_variants (
      id TEXT PRIMARY KEY, trace_id TEXT NOT NULL, parent_id TEXT NOT NULL, parent_hash TEXT NOT NULL,
      prompt TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, run_id TEXT NOT NULL, created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX example_variants_of_trace ON example_variants (trace_id, parent_id); -- those of a session, of an example

    ALTER TABLE examples ADD COLUMN parent_id TEXT;
    ALTER TABLE examples ADD COLUMN generated_by TEXT;
  `,
}
