import type { Migration } from '#server/db/schema.ts'

/** The mean grade that a model gave the work of a session (own): nothing in the archive tells it. */
export const traceAnswerScores: Migration = {
  number: 40,
  name: 'grades of sessions',
  sql: `
    CREATE TABLE trace_answer_scores (
      trace_id TEXT PRIMARY KEY,
      score REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
