import type { Migration } from '#server/db/schema.ts'

/** Which results of tools brought words into commands (derived); what is installed in the user's Claude Code as it was last seen (own). */
export const taintAndInstalled: Migration = {
  number: 62,
  name: 'taint-and-installed',
  sql: `
    CREATE TABLE guardrail_taint (
      no INTEGER PRIMARY KEY AUTOINCREMENT, -- cursor of the list
      trace_id TEXT NOT NULL, step_id TEXT NOT NULL, -- the command
      command TEXT NOT NULL, denied INTEGER NOT NULL,
      source_step_id TEXT NOT NULL, source TEXT NOT NULL, -- web, mcp, file
      tool TEXT NOT NULL, came_from TEXT NOT NULL, line TEXT NOT NULL, -- these and command and words: redacted
      words TEXT NOT NULL -- JSON
    ) STRICT;
    CREATE INDEX guardrail_taint_of ON guardrail_taint (trace_id, step_id); -- the page of a session, and the events of a page
    CREATE TABLE installed_parts (
      id TEXT PRIMARY KEY, -- hash of kind, place and name
      seen_hash TEXT NOT NULL, -- as the user last saw it
      hash TEXT NOT NULL, -- as it was found last
      first_seen_at INTEGER NOT NULL,
      changed_at INTEGER -- when a difference to seen_hash was found first
    ) STRICT, WITHOUT ROWID;
  `,
}
