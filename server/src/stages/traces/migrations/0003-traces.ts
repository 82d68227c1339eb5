import type { Migration } from '#server/db/schema.ts'

/** Sessions and what is on their pages (derived), and what the user said about them (own). */
export const traces: Migration = {
  number: 3,
  name: 'traces',
  sql: `
    -- derived ------------------------------------------------------------------------------------------------------
    CREATE TABLE traces (
      no INTEGER PRIMARY KEY AUTOINCREMENT, -- short inner name; the id on the wire is a hash of agent and session
      id TEXT NOT NULL UNIQUE,
      -- Entries with a higher rev are still being written and are not shown: a long trace appears whole or not at all.
      rev INTEGER NOT NULL,
      derived_version TEXT, -- what the reader calls its last output; null: read everything again
      agent TEXT NOT NULL, session_id TEXT NOT NULL, title TEXT, repo TEXT, cwd TEXT, git_branch TEXT, client_version TEXT,
      started_at INTEGER, ended_at INTEGER, duration_ms INTEGER, active_ms INTEGER,
      state TEXT NOT NULL, -- live, ended, interrupted
      sample INTEGER NOT NULL,
      models TEXT NOT NULL, -- JSON list
      prompts INTEGER NOT NULL, tool_calls INTEGER NOT NULL, failed_tool_calls INTEGER NOT NULL, rejected_tool_calls INTEGER NOT NULL,
      subagents INTEGER NOT NULL, commits INTEGER NOT NULL, turns INTEGER NOT NULL, problems INTEGER NOT NULL,
      tokens_input INTEGER, tokens_output INTEGER, tokens_cache_read INTEGER, tokens_cache_write INTEGER,
      tokens INTEGER, -- the known ones of the four, added up; null when none is known
      cost_usd REAL,
      policy_tier TEXT NOT NULL, tier TEXT NOT NULL, tier_rank INTEGER NOT NULL, tier_source TEXT NOT NULL,
      quality REAL, success_rate REAL, verification TEXT NOT NULL, tier_reason TEXT, score_version INTEGER,
      longest_failure_run INTEGER NOT NULL, -- most failed calls of one conversation in a row
      index_pending INTEGER NOT NULL, index_pending_bytes INTEGER NOT NULL -- entries that full text search does not have yet
    ) STRICT;
    CREATE INDEX traces_by_start ON traces (started_at DESC, id); -- the list as it opens
    CREATE INDEX traces_by_end ON traces (ended_at DESC, id); -- sort by age; Home's figures since a day
    CREATE INDEX traces_by_tier ON traces (tier, started_at DESC); -- tier:gold
    CREATE INDEX traces_by_repo ON traces (repo, started_at DESC); -- repo:api
    CREATE INDEX traces_live ON traces (ended_at) WHERE state = 'live'; -- sessions that fell silent
    CREATE INDEX traces_to_index ON traces (no) WHERE index_pending > 0; -- what the search indexer does next

    -- What only the page of one session needs, apart, so that lists read small rows. All JSON.
    CREATE TABLE trace_details (
      trace INTEGER PRIMARY KEY REFERENCES traces (no) ON DELETE CASCADE,
      turn_list TEXT NOT NULL, subagents TEXT NOT NULL, files TEXT NOT NULL, problems TEXT NOT NULL, tools TEXT NOT NULL,
      tokens_by_model TEXT NOT NULL, first_prompt TEXT
    ) STRICT;

    -- One value of a many-valued fact of a trace, with how often: kind is tool, model, exit.
    CREATE TABLE trace_facets (
      kind TEXT NOT NULL, value TEXT NOT NULL COLLATE NOCASE, trace INTEGER NOT NULL REFERENCES traces (no) ON DELETE CASCADE, n INTEGER NOT NULL,
      PRIMARY KEY (kind, value, trace)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX trace_facets_of ON trace_facets (trace); -- replacing those of one trace

    -- No foreign key: the entries of a long new trace are written before its row (see rev). AUTOINCREMENT: search.db
    -- knows entries by rowid, so none may ever mean another entry.
    CREATE TABLE entries (
      rowid INTEGER PRIMARY KEY AUTOINCREMENT,
      trace INTEGER NOT NULL,
      id TEXT NOT NULL, -- without the trace id in front, which is put back on reading
      rev INTEGER NOT NULL, -- traces.rev when it last changed
      ord TEXT NOT NULL, kind TEXT NOT NULL, seq REAL, agent TEXT NOT NULL, parent_step_id TEXT,
      at INTEGER, ended_at INTEGER, label TEXT, tool TEXT, tool_use_id TEXT,
      success INTEGER, exit_code INTEGER, is_error INTEGER NOT NULL, rejected_by TEXT, answered INTEGER NOT NULL,
      file TEXT, edits INTEGER NOT NULL, output_bytes INTEGER NOT NULL, cwd TEXT, message_id TEXT, prompt_id TEXT, model TEXT,
      location TEXT NOT NULL, result TEXT, spill TEXT, -- JSON lists: source, generation, offset, length, block
      shared INTEGER NOT NULL -- first 64 bits of sha256 of the key that forks share
    ) STRICT;
    CREATE UNIQUE INDEX entries_by_id ON entries (trace, id); -- one step; upsert
    CREATE INDEX entries_in_order ON entries (trace, ord); -- pages of a transcript and the timeline
    CREATE INDEX entries_steps ON entries (trace, ord) WHERE kind = 'call'; -- pages of steps
    CREATE INDEX entries_shared ON entries (shared) WHERE kind = 'call'; -- figures that count a copied record once
    CREATE INDEX entries_shared_prompts ON entries (shared) WHERE kind = 'prompt'; -- as above

    -- Usage, once a (message id, request id) and trace. \`key\`: first 64 bits of sha256 of it.
    CREATE TABLE responses (
      key INTEGER NOT NULL, trace INTEGER NOT NULL, model TEXT, agent TEXT NOT NULL,
      input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER,
      PRIMARY KEY (key, trace)
    ) STRICT, WITHOUT ROWID; -- ordered by key: totals over the archive take one row a key
    CREATE INDEX responses_of ON responses (trace); -- replacing those of one trace

    -- Entries that are gone and that search.db may still hold.
    CREATE TABLE search_gone (rowid INTEGER PRIMARY KEY) STRICT;

    -- own: refer to traces by id, so that rebuild does not touch them ------------------------------------------------
    CREATE TABLE decisions (
      no INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they were made
      id TEXT NOT NULL UNIQUE, trace_id TEXT NOT NULL, tier TEXT, from_tier TEXT NOT NULL,
      who TEXT NOT NULL, at INTEGER NOT NULL, why TEXT, undone_at INTEGER, bulk_id TEXT
    ) STRICT;
    CREATE INDEX decisions_of ON decisions (trace_id, no DESC); -- history of a trace; the newest that stands
    CREATE INDEX decisions_of_bulk ON decisions (bulk_id) WHERE bulk_id IS NOT NULL; -- undo of many
    CREATE TABLE tags (trace_id TEXT NOT NULL, tag TEXT NOT NULL, added_at INTEGER NOT NULL, PRIMARY KEY (trace_id, tag)) STRICT, WITHOUT ROWID;
    CREATE INDEX tags_by_tag ON tags (tag COLLATE NOCASE, trace_id); -- tag:refactor, completion
    -- What a bulk act did to tags, so that it can be undone as one.
    CREATE TABLE tag_acts (
      bulk_id TEXT NOT NULL, trace_id TEXT NOT NULL, tag TEXT NOT NULL, added INTEGER NOT NULL, at INTEGER NOT NULL, undone_at INTEGER,
      PRIMARY KEY (bulk_id, trace_id, tag)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE notes (trace_id TEXT PRIMARY KEY, note TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE views (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, query TEXT NOT NULL, sort TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
  `,
}
