import type { Migration } from '#server/db/schema.ts'

/** Findings in the archive (derived; never a value), what the user decided about them, and released statistics (own). */
export const privacy: Migration = {
  number: 5,
  name: 'privacy',
  sql: `
    -- derived ------------------------------------------------------------------------------------------------------
    CREATE TABLE privacy_findings (
      no INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE, -- the same whenever the same place is scanned
      trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      step_id TEXT NOT NULL, part TEXT NOT NULL, path TEXT NOT NULL,
      type TEXT NOT NULL, detector TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
      confidence REAL NOT NULL, validated INTEGER NOT NULL,
      value TEXT NOT NULL, -- keyed digest
      preview TEXT NOT NULL, -- masked
      project TEXT, file TEXT, at INTEGER
    ) STRICT;
    CREATE INDEX privacy_findings_of ON privacy_findings (trace_id, step_id); -- replacing those of an entry
    CREATE INDEX privacy_findings_by_type ON privacy_findings (type, no); -- the list of a type
    CREATE INDEX privacy_findings_by_value ON privacy_findings (value, no); -- everywhere a value stands

    CREATE TABLE privacy_scans (
      trace_id TEXT PRIMARY KEY REFERENCES traces (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      rev INTEGER NOT NULL, -- of the trace, as far as it was scanned
      rules TEXT NOT NULL, -- hash of detectors and the user's rules that it was scanned with
      chars INTEGER NOT NULL, at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- own ----------------------------------------------------------------------------------------------------------
    -- A history; of the same scope and key the newest that is not undone holds.
    CREATE TABLE privacy_decisions (
      no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      scope TEXT NOT NULL, -- finding, value, project, type
      key TEXT NOT NULL, -- what standing.ts looks it up by
      scope_json TEXT NOT NULL, -- as the wire has it
      trace_id TEXT, -- of a finding: it goes with the trace
      action TEXT NOT NULL, strategy TEXT, at INTEGER NOT NULL, undone_at INTEGER
    ) STRICT;
    CREATE INDEX privacy_decisions_standing ON privacy_decisions (scope, key, no) WHERE undone_at IS NULL; -- which one holds

    CREATE TABLE dp_releases (
      no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, what TEXT NOT NULL,
      mechanism TEXT NOT NULL, epsilon REAL NOT NULL, delta REAL NOT NULL, sensitivity REAL NOT NULL, at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX dp_releases_of ON dp_releases (source, no); -- what a source has spent
  `,
}
