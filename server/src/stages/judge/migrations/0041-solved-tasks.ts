import type { Migration } from '#server/db/schema.ts'

/** Exams of solved tasks: the sessions that were considered, the tasks that were proven, and the runs of agents for them. */
export const solvedTasks: Migration = {
  number: 41,
  name: 'solved-tasks',
  sql: `
    ALTER TABLE exams ADD COLUMN kind TEXT NOT NULL DEFAULT 'next_calls';
    ALTER TABLE exams ADD COLUMN state TEXT NOT NULL DEFAULT 'ready'; -- making, interrupted, cancelled, failed, ready
    ALTER TABLE exams ADD COLUMN detail TEXT;
    CREATE TABLE exam_candidates (
      exam_no INTEGER NOT NULL REFERENCES exams (no),
      no INTEGER NOT NULL,
      trace_id TEXT NOT NULL,
      outcome TEXT NOT NULL, -- waiting, proven, left_out
      reason TEXT,
      detail TEXT,
      is_undone INTEGER NOT NULL DEFAULT 0, -- parts of its change were tried as tasks of their own
      PRIMARY KEY (exam_no, no)
    ) STRICT;
    CREATE INDEX exam_candidates_by_trace ON exam_candidates (trace_id);
    CREATE TABLE exam_tasks (
      exam_no INTEGER NOT NULL REFERENCES exams (no),
      no INTEGER NOT NULL,
      id TEXT NOT NULL,
      trace_id TEXT NOT NULL,
      project TEXT NOT NULL, -- the folder that installed packages are copied from
      start TEXT NOT NULL, -- commits of the exam's own repository
      reference TEXT NOT NULL,
      body TEXT NOT NULL, -- prompt, checks, proofs
      is_removed INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (exam_no, no)
    ) STRICT;
    CREATE INDEX exam_tasks_by_trace ON exam_tasks (trace_id);
    CREATE TABLE exam_attempts (
      run_no INTEGER NOT NULL REFERENCES exam_runs (no),
      item_no INTEGER NOT NULL,
      side TEXT NOT NULL, -- base, model
      attempt INTEGER NOT NULL, -- which repeat of the item
      sample INTEGER NOT NULL,
      task_id TEXT,
      trace_id TEXT,
      state TEXT NOT NULL, -- pass, fail, timeout_with_verdict, error
      passed INTEGER,
      detail TEXT,
      usd REAL NOT NULL,
      ms INTEGER,
      at INTEGER NOT NULL,
      PRIMARY KEY (run_no, item_no, side, attempt, sample)
    ) STRICT;
    CREATE INDEX exam_attempts_by_trace ON exam_attempts (trace_id) WHERE trace_id IS NOT NULL;
  `,
}
