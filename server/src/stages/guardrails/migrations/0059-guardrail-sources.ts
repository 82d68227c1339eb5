import type { Migration } from '#server/db/schema.ts'

/** Where an event comes from, what was done, and whether that was right (own); checks that found nothing; sessions that were checked (derived). */
export const guardrailSources: Migration = {
  number: 59,
  name: 'guardrail-sources',
  sql: `
    CREATE TABLE guardrail_events_new (
      no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
      verdict TEXT NOT NULL, -- warn, block
      action TEXT NOT NULL, -- ran, asked, blocked, redacted
      type TEXT NOT NULL, -- code, injection, topic, pii
      source TEXT NOT NULL, -- session, sandbox, proxy, hook, mod
      rule TEXT NOT NULL, reason TEXT NOT NULL,
      profile TEXT, -- native, sandbox; of a command
      score REAL,
      sandbox_id TEXT, trace_id TEXT, step_id TEXT,
      excerpt TEXT NOT NULL, -- redacted
      was_right INTEGER -- what the user says
    ) STRICT;
    INSERT INTO guardrail_events_new (no, id, at, verdict, action, type, source, rule, reason, profile, sandbox_id, excerpt)
      SELECT no, id, at, verdict, CASE verdict WHEN 'block' THEN 'blocked' ELSE 'ran' END, 'code', 'sandbox', rule, reason, profile,
        sandbox_id, excerpt FROM guardrail_events;
    DROP TABLE guardrail_events;
    ALTER TABLE guardrail_events_new RENAME TO guardrail_events;
    CREATE INDEX guardrail_events_by_verdict ON guardrail_events (verdict, no); -- the list of a verdict
    CREATE INDEX guardrail_events_by_rule ON guardrail_events (rule, no); -- the list and the counts of a rule
    CREATE INDEX guardrail_events_by_trace ON guardrail_events (trace_id) WHERE trace_id IS NOT NULL; -- forgetting a session

    CREATE TABLE guardrail_allowed (
      trace_id TEXT NOT NULL, -- empty: sandboxes
      day TEXT NOT NULL, checks INTEGER NOT NULL, PRIMARY KEY (trace_id, day)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE guardrail_sweeps (trace_id TEXT PRIMARY KEY, rev INTEGER NOT NULL, rules TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
}
