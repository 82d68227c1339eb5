import type { Migration } from '../schema.ts'

/** Rows of a restored backup that are not used until the user chooses "Use again". */
export const restoredItems: Migration = {
  number: 30,
  name: 'restored-items',
  sql: `
    CREATE TABLE restored_items (
      no INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, was_active INTEGER NOT NULL,
      names TEXT NOT NULL, -- JSON: addresses, folders and programs that the row names
      UNIQUE (id, kind)
    ) STRICT;
    CREATE INDEX restored_items_by_kind ON restored_items (kind, was_active, no); -- counts; the list of a kind
  `,
}
