import type { Migration } from '#server/db/schema.ts'

/** Commands that the judge warned about or blocked (own). */
export const guardrails: Migration = {
  number: 17,
  name: 'guardrails',
  sql: `
    CREATE TABLE guardrail_events (
      no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
      verdict TEXT NOT NULL, -- warn, block
      rule TEXT NOT NULL, reason TEXT NOT NULL,
      profile TEXT NOT NULL, -- native, sandbox
      sandbox_id TEXT,
      excerpt TEXT NOT NULL -- redacted
    ) STRICT;
    CREATE INDEX guardrail_events_by_verdict ON guardrail_events (verdict, no); -- the list of a verdict
  `,
}
