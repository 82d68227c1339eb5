import type { Migration } from '#server/db/schema.ts'

/** Shell tasks (own): imported, shipped, generated or the user's; in the order in which they came. */
export const shellTasks: Migration = {
  number: 25,
  name: 'shell tasks',
  sql: `
    CREATE TABLE shell_tasks (
      no INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      split TEXT NOT NULL,
      is_held_out INTEGER NOT NULL,
      source TEXT NOT NULL, -- imported, starter, generated, session, own
      is_edited INTEGER NOT NULL DEFAULT 0, -- a newer starter set leaves it as it is
      task TEXT NOT NULL,
      setup TEXT NOT NULL, -- JSON: commands
      check_command TEXT NOT NULL,
      difficulty INTEGER,
      reference_solution TEXT,
      extra TEXT NOT NULL, -- JSON
      content_hash TEXT NOT NULL,
      validation_status TEXT, -- valid, invalid, unknown; null: not validated
      validated_at TEXT,
      validation TEXT, -- JSON, with the evidence
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX shell_tasks_by_split ON shell_tasks (split, no);
  `,
}
