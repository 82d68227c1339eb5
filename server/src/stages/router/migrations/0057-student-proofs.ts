import type { Migration } from '#server/db/schema.ts'

/** What each verdict is about, as it was when the verdict was first seen here. */
export const studentProofs: Migration = {
  number: 57,
  name: 'student proofs',
  sql: `
    CREATE TABLE student_proofs (
      run TEXT PRIMARY KEY, -- of the exam
      files TEXT NOT NULL, -- JSON: hashes of the model's files, by artifact
      form TEXT NOT NULL, -- hash of the prompt and tools
      client TEXT NOT NULL, -- version of Claude Code
      at INTEGER NOT NULL
    ) STRICT;
  `,
}
