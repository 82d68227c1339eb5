import type { Migration } from '#server/db/schema.ts'

/** What left a sandbox, or was refused (own). */
export const sandboxTraffic: Migration = {
  number: 20,
  name: 'sandbox traffic',
  sql: `
    ALTER TABLE sandboxes ADD COLUMN traffic TEXT; -- JSON; null: no list of addresses, or it never ran
  `,
}
