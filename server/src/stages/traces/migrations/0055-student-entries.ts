import type { Migration } from '#server/db/schema.ts'

/** What models of the user's own answered: their names in the client begin like this (STUDENT_NAME of the contract). */
export const studentEntries: Migration = {
  number: 55,
  name: 'student entries',
  sql: `
    CREATE INDEX entries_of_students ON entries (model, trace) WHERE model GLOB 'gym-*';
    CREATE VIEW student_entries AS SELECT t.id AS trace_id, e.model AS name, e.at FROM entries e JOIN traces t ON t.no = e.trace WHERE e.model GLOB 'gym-*';
  `,
}
