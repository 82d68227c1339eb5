import type { Migration } from '#server/db/schema.ts'

/** The names under which models of the user's own answered in Claude Code: transcripts have only these. */
export const students: Migration = {
  number: 48,
  name: 'students',
  sql: `
    CREATE TABLE students (
      name TEXT PRIMARY KEY,
      model_id TEXT NOT NULL, -- of the registry, or the model and address of an endpoint
      label TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
  `,
}
