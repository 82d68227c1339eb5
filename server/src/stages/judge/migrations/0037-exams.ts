import type { Migration } from '#server/db/schema.ts'

/** Exams of recorded calls, their runs with two models, every answer, and certificates. Items and answers are never changed. */
export const exams: Migration = {
  number: 37,
  name: 'exams',
  sql: `
    CREATE TABLE exams (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      hash TEXT NOT NULL,
      request TEXT NOT NULL,
      left_out TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE exam_sessions (
      exam_no INTEGER NOT NULL REFERENCES exams (no),
      trace_id TEXT NOT NULL,
      repo TEXT,
      texts TEXT NOT NULL, -- of its rows; no row of a data set may resemble them
      PRIMARY KEY (exam_no, trace_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX exam_sessions_by_trace ON exam_sessions (trace_id);
    CREATE TABLE exam_items (
      exam_no INTEGER NOT NULL REFERENCES exams (no),
      no INTEGER NOT NULL,
      id TEXT NOT NULL, -- sha256 of what is asked and of the recorded call
      trace_id TEXT NOT NULL,
      step_id TEXT,
      tool TEXT NOT NULL,
      call TEXT NOT NULL,
      context TEXT NOT NULL,
      PRIMARY KEY (exam_no, no)
    ) STRICT;
    CREATE INDEX exam_items_by_id ON exam_items (exam_no, id);
    CREATE TABLE exam_runs (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      exam_no INTEGER NOT NULL REFERENCES exams (no),
      state TEXT NOT NULL, -- queued, running, paused, completed, failed, cancelled
      detail TEXT,
      request TEXT NOT NULL,
      sides TEXT NOT NULL, -- identity and label of both models
      charged TEXT NOT NULL,
      is_priced INTEGER NOT NULL,
      queue_place INTEGER,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      ended_at INTEGER
    ) STRICT;
    CREATE INDEX exam_runs_by_exam ON exam_runs (exam_no, no);
    CREATE TABLE exam_repeats ( -- which attempt of an item counts, if it is not the first
      run_no INTEGER NOT NULL REFERENCES exam_runs (no),
      item_no INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      PRIMARY KEY (run_no, item_no)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE exam_answers (
      run_no INTEGER NOT NULL REFERENCES exam_runs (no),
      item_no INTEGER NOT NULL,
      side TEXT NOT NULL, -- base, model
      attempt INTEGER NOT NULL,
      state TEXT NOT NULL, -- answered, truncated, error
      call TEXT, -- null: the answer has no call that can be read
      text TEXT,
      error TEXT,
      ms INTEGER,
      at INTEGER NOT NULL,
      PRIMARY KEY (run_no, item_no, side, attempt)
    ) STRICT;
    CREATE TABLE exam_certificates (
      no INTEGER PRIMARY KEY,
      run_no INTEGER NOT NULL REFERENCES exam_runs (no),
      body TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX exam_certificates_by_run ON exam_certificates (run_no, no);
  `,
}
