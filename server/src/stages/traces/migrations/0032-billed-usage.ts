import type { Migration } from '#server/db/schema.ts'

/** What else a response is billed for, filled when a session is read again. */
export const billedUsage: Migration = {
  number: 32,
  name: 'billed-usage',
  sql: `
    ALTER TABLE responses ADD COLUMN cache_write_1h INTEGER NOT NULL DEFAULT 0; -- the part of cache_write that lasts an hour
    ALTER TABLE responses ADD COLUMN web_searches INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE responses ADD COLUMN is_fast INTEGER NOT NULL DEFAULT 0;
  `,
}
