import type { Migration } from '#server/db/schema.ts'

/** What the user says of commands (own), client processes of sessions, and sessions of which only hooks are known. */
export const scoreWords: Migration = {
  number: 14,
  name: 'score-words',
  sql: `
    -- own: whether these exact words of a command are a test run in a project; refers to nothing that rebuild makes
    CREATE TABLE command_overrides (
      id TEXT PRIMARY KEY, project TEXT NOT NULL, words TEXT NOT NULL, verdict TEXT NOT NULL, -- test, not_a_run
      created_at INTEGER NOT NULL, UNIQUE (project, words)
    ) STRICT, WITHOUT ROWID;

    -- plumbing: the process that a hook named; born '' where it was gone before anyone looked
    CREATE TABLE client_processes (
      session_id TEXT PRIMARY KEY, pid INTEGER NOT NULL, born TEXT NOT NULL, gone_at INTEGER
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE traces ADD COLUMN hooks_only INTEGER NOT NULL DEFAULT 0;
    -- these had no row until now
    UPDATE archived_traces SET derived = 0
    WHERE NOT EXISTS (SELECT 1 FROM sources s WHERE s.trace_id = archived_traces.trace_id AND s.kind <> 'hooks');
  `,
}
