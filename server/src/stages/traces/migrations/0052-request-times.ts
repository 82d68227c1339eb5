import type { Migration } from '#server/db/schema.ts'

/** When responses came and how a session was started, and what other stages may read of both. Sessions are read again to fill them. */
export const requestTimes: Migration = {
  number: 52,
  name: 'request times',
  sql: `
    ALTER TABLE responses ADD COLUMN at INTEGER; -- of its first record; null for agents that do not tell
    ALTER TABLE traces ADD COLUMN entrypoint TEXT; -- cli, sdk-cli …, as the client calls it
    -- The user's own sessions of Claude Code: no samples, no agent runs.
    CREATE VIEW own_sessions AS
      SELECT t.no, t.id, t.title, t.started_at, t.cost_usd, t.prompts, t.entrypoint, d.subagents
      FROM traces t JOIN trace_details d ON d.trace = t.no
      WHERE t.agent = 'claude-code' AND t.sample = 0 AND t.hooks_only = 0
        AND NOT EXISTS (SELECT 1 FROM trace_runs x WHERE x.trace_id = t.id);
    -- One that a fork copied counts in the session that has it first.
    CREATE VIEW own_requests AS
      SELECT r.trace, r.at, r.model, r.agent, r.input, r.output, r.cache_read, r.cache_write, r.cache_write_1h, r.web_searches, r.is_fast
      FROM responses r WHERE NOT EXISTS (SELECT 1 FROM responses x WHERE x.key = r.key AND x.trace < r.trace);
    CREATE VIEW own_calls AS SELECT trace, ord, id, agent, tool, at, ended_at, by_mod FROM entries WHERE kind = 'call';
    -- What begins a turn of the model.
    CREATE VIEW own_turns AS SELECT trace, ord, agent, at FROM entries WHERE kind = 'prompt' OR asks = 'begins';
  `,
}
