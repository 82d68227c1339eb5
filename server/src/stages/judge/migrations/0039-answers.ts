import type { Migration } from '#server/db/schema.ts'

/** Grades of answers: rubrics, runs with their texts, grades, what was answered before, labels of the user, and own sets of cases. */
export const answers: Migration = {
  number: 39,
  name: 'answers',
  sql: `
    CREATE TABLE answer_rubrics (
      metric TEXT NOT NULL,
      version INTEGER NOT NULL,
      body TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (metric, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE answer_sets (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      hash TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE answer_cases (
      set_no INTEGER NOT NULL REFERENCES answer_sets (no),
      no INTEGER NOT NULL,
      trace_id TEXT,
      body TEXT NOT NULL,
      PRIMARY KEY (set_no, no)
    ) STRICT;
    CREATE TABLE answer_runs (
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL, -- sessions, set, compare
      set_id TEXT,
      title TEXT NOT NULL,
      state TEXT NOT NULL, -- running, done, cancelled, stopped
      detail TEXT,
      request TEXT NOT NULL,
      facts TEXT NOT NULL, -- models, versions of rubrics, what was left out
      charged TEXT NOT NULL,
      total INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      ended_at INTEGER
    ) STRICT;
    CREATE TABLE answer_items ( -- small columns first: lists and figures read no texts
      run_no INTEGER NOT NULL REFERENCES answer_runs (no),
      no INTEGER NOT NULL,
      hash TEXT, -- of prompt and answer, by which labels are found; null until it is answered
      trace_id TEXT,
      verdict TEXT, -- passed, failed, not_scored
      findings TEXT NOT NULL,
      prompt_chars INTEGER AS (length(prompt)) STORED,
      answer_chars INTEGER AS (length(response)) STORED,
      other_chars INTEGER AS (length(other)) STORED,
      has_rule INTEGER AS (rule IS NOT NULL) STORED,
      has_rubric INTEGER AS (rubric IS NOT NULL) STORED,
      title TEXT,
      why TEXT,
      system TEXT,
      rule TEXT, -- check of a case
      rubric TEXT, -- of a case
      prompt TEXT NOT NULL,
      response TEXT,
      other TEXT,
      PRIMARY KEY (run_no, no)
    ) STRICT;
    CREATE INDEX answer_items_by_hash ON answer_items (hash);
    CREATE INDEX answer_items_by_trace ON answer_items (trace_id);
    CREATE TABLE answer_grades (
      run_no INTEGER NOT NULL REFERENCES answer_runs (no),
      item_no INTEGER NOT NULL, -- -1 and -2: the self-test, without and with an instruction in the material
      metric TEXT NOT NULL, -- 'answer': the case was answered
      repeat INTEGER NOT NULL,
      raw INTEGER,
      is_owed INTEGER NOT NULL,
      is_cached INTEGER NOT NULL,
      at INTEGER NOT NULL,
      key TEXT,
      error TEXT,
      reasoning TEXT,
      evidence TEXT NOT NULL,
      text TEXT,
      PRIMARY KEY (run_no, item_no, metric, repeat)
    ) STRICT;
    CREATE INDEX answer_grades_owed ON answer_grades (run_no) WHERE is_owed = 1;
    CREATE TABLE answer_known (
      key TEXT PRIMARY KEY,
      raw INTEGER NOT NULL,
      reasoning TEXT NOT NULL,
      evidence TEXT NOT NULL,
      text TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE answer_labels (
      hash TEXT NOT NULL,
      metric TEXT NOT NULL,
      scale TEXT NOT NULL, -- five, yes_no
      value INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (hash, metric)
    ) STRICT, WITHOUT ROWID;
  `,
}
