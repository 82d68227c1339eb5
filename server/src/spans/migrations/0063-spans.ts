import type { Migration } from '#server/db/schema.ts'

/** Spans that were recorded or sent to us, and what Claude Code's telemetry says of its requests. */
export const spans: Migration = {
  number: 63,
  name: 'spans',
  sql: `
    CREATE TABLE recorded_spans (
      trace_id TEXT NOT NULL, id TEXT NOT NULL, parent_id TEXT, -- hexadecimal, as in OpenTelemetry
      kind TEXT NOT NULL, name TEXT NOT NULL, label TEXT,
      started_at REAL, duration_ms REAL, -- milliseconds; null: not measured
      has_tokens INTEGER NOT NULL, input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER,
      cost_usd REAL, error TEXT, request_id TEXT,
      PRIMARY KEY (trace_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE recorded_traces (
      id TEXT PRIMARY KEY, source TEXT NOT NULL, title TEXT,
      session TEXT, -- the trace of the session that telemetry is of, which may not be stored
      started_at REAL, ended_at REAL, model TEXT, requests INTEGER NOT NULL, calls INTEGER NOT NULL, failed_calls INTEGER NOT NULL,
      waiting_ms REAL NOT NULL, input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER, cost_usd REAL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX recorded_traces_newest ON recorded_traces (coalesce(started_at, 0), id);
    CREATE INDEX recorded_traces_of ON recorded_traces (session) WHERE session IS NOT NULL;
    -- One row a request, from its log, its span, or both. Never added to the figures of sessions.
    CREATE TABLE reported_requests (
      request_id TEXT PRIMARY KEY, session TEXT NOT NULL, at REAL, model TEXT,
      input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER, cost_usd REAL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reported_requests_of ON reported_requests (session);
  `,
}
