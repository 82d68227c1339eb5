import type { Migration } from '#server/db/schema.ts'

/** Preference pairs: what the last search found and what was ever reviewed. Bodies stay in the archive. */
export const pairs: Migration = {
  number: 8,
  name: 'pairs',
  sql: `
    -- own. \`pair\` is JSON, its words as the gate cleared them; \`prompt\` the words that the list is searched by.
    CREATE TABLE pairs (
      id TEXT PRIMARY KEY, source TEXT NOT NULL, repo TEXT, prompt TEXT NOT NULL, pair TEXT NOT NULL, options TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    -- A history; the newest that is not undone holds.
    CREATE TABLE pair_reviews (
      no INTEGER PRIMARY KEY AUTOINCREMENT, pair_id TEXT NOT NULL, state TEXT NOT NULL, -- proposed, accepted, rejected
      who TEXT NOT NULL, at INTEGER NOT NULL, bulk_id TEXT NOT NULL, undone_at INTEGER
    ) STRICT;
    CREATE INDEX pair_reviews_of ON pair_reviews (pair_id, no) WHERE undone_at IS NULL; -- the state of a pair
    CREATE INDEX pair_reviews_of_bulk ON pair_reviews (bulk_id); -- undo
  `,
}
