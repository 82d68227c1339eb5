import type { Migration } from '#server/db/schema.ts'

/** What other stages may know of a session in their own queries. */
export const sessionHeads: Migration = {
  number: 15,
  name: 'session-heads',
  sql: `
    CREATE VIEW session_heads AS
      SELECT id, repo, cwd, title, started_at, state, tier, quality, verification FROM traces;
  `,
}
