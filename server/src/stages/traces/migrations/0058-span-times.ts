import type { Migration } from '#server/db/schema.ts'

/** Which entries a response has, and how long a session waited. Sessions are read again to fill them. */
export const spanTimes: Migration = {
  number: 58,
  name: 'span times',
  sql: `
    ALTER TABLE responses ADD COLUMN message INTEGER; -- first 64 bits of sha256 of entries.message_id
    ALTER TABLE traces ADD COLUMN waiting_ms INTEGER; -- the main conversation waited for the user
  `,
}
