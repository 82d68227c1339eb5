import type { Migration } from '#server/db/schema.ts'

/** Answers of the student to steps that Claude had answered. No tool of them was run. */
export const shadowAnswers: Migration = {
  number: 54,
  name: 'shadow answers',
  sql: `
    CREATE TABLE shadow_answers (
      no INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      trace_id TEXT, -- of the session
      model_id TEXT NOT NULL,
      model TEXT NOT NULL,
      prompt TEXT NOT NULL,
      teacher TEXT NOT NULL,
      student TEXT, -- null: it did not answer
      same INTEGER, -- the same call; null: not both are calls
      error TEXT
    ) STRICT;
    CREATE INDEX shadow_answers_by_at ON shadow_answers (at);
    CREATE INDEX shadow_answers_by_trace ON shadow_answers (trace_id);
  `,
}
