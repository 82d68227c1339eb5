import type { Migration } from '#server/db/schema.ts'

/** Other stages also show whether gold is unverified. */
export const unverifiedHeads: Migration = {
  number: 16,
  name: 'unverified-heads',
  sql: `
    DROP VIEW session_heads;
    CREATE VIEW session_heads AS
      SELECT id, repo, cwd, title, started_at, state, tier, quality, verification,
        tier = 'gold' AND tier_source = 'policy' AND verification <> 'passed' AS unverified
      FROM traces;
  `,
}
