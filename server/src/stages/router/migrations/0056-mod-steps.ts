import type { Migration } from '#server/db/schema.ts'

/** One row a step that the gym agent was answered: figures only, no text of it. */
export const modSteps: Migration = {
  number: 56,
  name: 'mod steps',
  sql: `
    CREATE TABLE mod_steps (
      no INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      model_id TEXT, -- null: none was chosen
      agent TEXT NOT NULL,
      ms REAL NOT NULL,
      tokens INTEGER,
      failed INTEGER NOT NULL -- the agent was told why there is no answer
    ) STRICT;
    CREATE INDEX mod_steps_by_model ON mod_steps (model_id, at);
  `,
}
