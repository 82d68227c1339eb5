import type { Migration } from '#server/db/schema.ts'

/** What the user has read of the change of a run, and wrote about it (own). */
export const taskReviews: Migration = {
  number: 24,
  name: 'task reviews',
  sql: `
    CREATE TABLE task_reviews (
      task_id TEXT PRIMARY KEY,
      review TEXT NOT NULL -- JSON
    ) STRICT, WITHOUT ROWID;
  `,
}
