import type { Migration } from '#server/db/schema.ts'

export const scoring: Migration = {
  number: 4,
  name: 'scoring',
  sql: `
    -- derived. What tiers are decided from stands in columns, so that other thresholds are tried without unpacking;
    -- \`detail\` is zstd of JSON, read by the page of one trace. Deferred: a trace and its score are written together.
    CREATE TABLE scores (
      trace_id TEXT PRIMARY KEY REFERENCES traces (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      score_version INTEGER NOT NULL,
      commands_hash TEXT NOT NULL, -- of the user's verification commands that this was scored with
      success_rate REAL, quality REAL, verification TEXT NOT NULL,
      metrics TEXT NOT NULL, -- JSON, as the wire has it
      decided_by TEXT NOT NULL, -- JSON list of {kind, result}: the runs that gave \`verification\`
      policy TEXT NOT NULL, tier TEXT NOT NULL, reason TEXT NOT NULL,
      detail BLOB NOT NULL
    ) STRICT;
  `,
}
