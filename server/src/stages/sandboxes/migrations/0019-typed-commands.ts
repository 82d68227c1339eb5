import type { Migration } from '#server/db/schema.ts'

/** Commands that a person typed into a session are told apart from those that were run. */
export const typedCommands: Migration = {
  number: 19,
  name: 'typed_commands',
  sql: 'ALTER TABLE sandbox_commands ADD COLUMN is_typed INTEGER NOT NULL DEFAULT 0',
}
