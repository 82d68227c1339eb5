import type { Migration } from '#server/db/schema.ts'

/** Files of sandboxes that somebody made by hand outlive the app. `kept`: what is known of them, while the sandbox is stopped. */
export const keptFiles: Migration = {
  number: 36,
  name: 'kept files of sandboxes',
  sql: `
    ALTER TABLE sandboxes ADD COLUMN keeps INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sandboxes ADD COLUMN kept TEXT;
  `,
}
