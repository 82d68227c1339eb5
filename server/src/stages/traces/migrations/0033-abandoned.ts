import type { Migration } from '#server/db/schema.ts'

/** Which entries are part of the conversation, and what began a turn. Sessions are read again to fill them. */
export const abandoned: Migration = {
  number: 33,
  name: 'abandoned turns',
  sql: `
    ALTER TABLE entries ADD COLUMN asks TEXT; -- begins, within; null: a prompt, an answer, or nothing for the model
    ALTER TABLE entries ADD COLUMN abandoned INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE entries ADD COLUMN by_mod INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE traces ADD COLUMN abandoned_turns INTEGER NOT NULL DEFAULT 0;
  `,
}
