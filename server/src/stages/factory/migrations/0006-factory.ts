import type { Migration } from '#server/db/schema.ts'

/** Segments and examples: what was looked up or decided once (own), and what can be made again (derived). */
export const factory: Migration = {
  number: 6,
  name: 'factory',
  sql: `
    -- own ----------------------------------------------------------------------------------------------------------
    -- The user's cuts of a session, whole lists; the newest one that is not undone holds.
    CREATE TABLE segment_cuts (
      no INTEGER PRIMARY KEY AUTOINCREMENT, trace_id TEXT NOT NULL,
      cuts TEXT NOT NULL, -- JSON list of {stepId, boundary}
      who TEXT NOT NULL, at INTEGER NOT NULL, undone_at INTEGER
    ) STRICT;
    CREATE INDEX segment_cuts_of ON segment_cuts (trace_id, no); -- the newest of a session

    -- Package, repository or folder that a working directory lies in, as it was when first seen: the directory may be
    -- gone by the next rebuild.
    CREATE TABLE directory_scopes (cwd TEXT PRIMARY KEY, scope TEXT NOT NULL, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

    -- What the user said of examples, a history; the newest that is not undone holds.
    CREATE TABLE example_reviews (
      no INTEGER PRIMARY KEY AUTOINCREMENT, example_id TEXT NOT NULL, trace_id TEXT NOT NULL,
      state TEXT NOT NULL, -- proposed, accepted, rejected
      who TEXT NOT NULL, at INTEGER NOT NULL, bulk_id TEXT, undone_at INTEGER
    ) STRICT;
    CREATE INDEX example_reviews_of ON example_reviews (example_id, no) WHERE undone_at IS NULL; -- the state of an example
    CREATE INDEX example_reviews_of_trace ON example_reviews (trace_id); -- those of a session
    CREATE INDEX example_reviews_of_bulk ON example_reviews (bulk_id) WHERE bulk_id IS NOT NULL; -- undo of an act on many

    -- Messages as the user rewrote them, and which source they were made from.
    CREATE TABLE example_edits (
      example_id TEXT PRIMARY KEY, trace_id TEXT NOT NULL, messages TEXT NOT NULL, source_hash TEXT NOT NULL,
      who TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX example_edits_of_trace ON example_edits (trace_id); -- those of a session

    -- Sessions that were made into examples, and how: the rows of \`examples\` are made from these again.
    CREATE TABLE example_sources (
      trace_id TEXT PRIMARY KEY, options TEXT NOT NULL, at INTEGER NOT NULL,
      stale INTEGER NOT NULL -- 1: the session has changed since
    ) STRICT, WITHOUT ROWID;

    -- derived ------------------------------------------------------------------------------------------------------
    CREATE TABLE segment_facts (
      trace_id TEXT PRIMARY KEY REFERENCES traces (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      git TEXT NOT NULL -- JSON: step id → commit | after
    ) STRICT, WITHOUT ROWID;

    -- Bodies stay in the archive. \`prompt\` is its first words, as the gate cleared them.
    CREATE TABLE examples (
      id TEXT PRIMARY KEY,
      trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      segment_id TEXT NOT NULL, ord INTEGER NOT NULL, part INTEGER NOT NULL, prompt TEXT NOT NULL,
      turns INTEGER NOT NULL, steps INTEGER NOT NULL, tokens INTEGER NOT NULL,
      flags TEXT NOT NULL, findings TEXT NOT NULL, -- JSON list; JSON type → count
      source_hash TEXT NOT NULL, created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX examples_of_trace ON examples (trace_id, ord); -- those of a session, in order
    CREATE INDEX examples_by_age ON examples (created_at, id); -- the list as it opens
  `,
}
