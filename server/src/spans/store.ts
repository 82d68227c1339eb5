import type { ProfileSource, SpanKind, SpanTokens } from '#contracts/entities/profile.ts'
import type { Core } from '#server/core.ts'
import type { Database } from '#server/db/open.ts'

/** A span as it is stored. */
export interface RecordedSpan {
  traceId: string
  id: string
  parentId: string | null
  kind: SpanKind
  name: string
  label: string | null
  /** Milliseconds; null: not measured. */
  startedAt: number | null
  durationMs: number | null
  tokens: SpanTokens | null
  costUsd: number | null
  error: string | null
  requestId: string | null
}

/** What belongs to all spans of a trace. */
export interface TraceFacts {
  source: ProfileSource
  /** Null: the name of its first span. */
  title: string | null
  /** The trace of the session that it is telemetry of. */
  session: string | null
}

/** A request to a model as Claude Code's telemetry tells it. */
export interface ReportedRequest extends SpanTokens {
  requestId: string
  session: string
  at: number | null
  model: string | null
  costUsd: number | null
}

export interface RecordedTrace extends TraceFacts, SpanTokens {
  id: string
  startedAt: number | null
  endedAt: number | null
  model: string | null
  requests: number
  calls: number
  failedCalls: number
  waitingMs: number
  costUsd: number | null
}

/** Recorded traces that ended longer ago are deleted at the start. */
const KEEP_MS = 180 * 24 * 3600_000
/** Texts of others are cut, far behind what is shown or sent of them: half a secret would not be known as one. */
const MAX_LABEL = 4000
const cut = (text: string | null): string | null => (text === null ? null : text.slice(0, MAX_LABEL))

/** A sum is unknown if a part of it is. */
const SUMMED = ['input', 'output', 'cache_read', 'cache_write', 'cost_usd']
  .map((name) => `CASE WHEN count(*) FILTER (WHERE has_tokens AND ${name} IS NULL) = 0 THEN sum(${name}) FILTER (WHERE has_tokens) END`)
  .join(', ')

const SPAN_COLUMNS =
  'trace_id AS traceId, id, parent_id AS parentId, kind, name, label, started_at AS startedAt, duration_ms AS durationMs, has_tokens AS hasTokens, input, output, cache_read AS cacheRead, cache_write AS cacheWrite, cost_usd AS costUsd, error, request_id AS requestId'
const TRACE_COLUMNS =
  'id, source, title, session, started_at AS startedAt, ended_at AS endedAt, model, requests, calls, failed_calls AS failedCalls, waiting_ms AS waitingMs, input, output, cache_read AS cacheRead, cache_write AS cacheWrite, cost_usd AS costUsd'

export function createSpanStore({ db, tx, events, now }: Pick<Core, 'db' | 'tx' | 'events' | 'now'>) {
  const insert = db.prepare(`INSERT OR IGNORE INTO recorded_spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const summarise = db.prepare(
    `INSERT INTO recorded_traces
     SELECT trace_id, ?, coalesce(?, min(name) FILTER (WHERE parent_id IS NULL), min(name)), ?, min(started_at), max(started_at + coalesce(duration_ms, 0)),
       min(name) FILTER (WHERE kind = 'llm'), count(*) FILTER (WHERE kind = 'llm'), count(*) FILTER (WHERE kind = 'tool'),
       count(*) FILTER (WHERE kind = 'tool' AND error IS NOT NULL), coalesce(sum(duration_ms) FILTER (WHERE kind = 'wait'), 0), ${SUMMED}
     FROM recorded_spans WHERE trace_id = ?
     ON CONFLICT (id) DO UPDATE SET title = coalesce(title, excluded.title), session = coalesce(session, excluded.session),
       started_at = excluded.started_at, ended_at = excluded.ended_at, model = excluded.model, requests = excluded.requests, calls = excluded.calls,
       failed_calls = excluded.failed_calls, waiting_ms = excluded.waiting_ms, input = excluded.input, output = excluded.output,
       cache_read = excluded.cache_read, cache_write = excluded.cache_write, cost_usd = excluded.cost_usd`,
  )
  const request = db.prepare('INSERT OR IGNORE INTO reported_requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const addCost = db.prepare(
    `UPDATE reported_requests SET cost_usd = @costUsd, at = coalesce(at, @at)
     WHERE request_id = @requestId AND cost_usd IS NULL AND @costUsd IS NOT NULL`,
  )

  return {
    /** Stores spans, each once, and says how many were new. */
    add(spans: readonly RecordedSpan[], factsOf: (traceId: string) => TraceFacts): { stored: number; repeated: number } {
      let stored = 0
      const touched = new Set<string>()
      tx(() => {
        for (const { tokens, ...span } of spans) {
          const { changes } = insert.run(
            span.traceId,
            span.id,
            span.parentId,
            span.kind,
            span.name.slice(0, MAX_LABEL),
            cut(span.label),
            span.startedAt,
            span.durationMs,
            tokens ? 1 : 0,
            tokens?.input ?? null,
            tokens?.output ?? null,
            tokens?.cacheRead ?? null,
            tokens?.cacheWrite ?? null,
            span.costUsd,
            cut(span.error),
            span.requestId,
          )
          if (changes === 0) continue
          stored += 1
          touched.add(span.traceId)
        }
        for (const id of touched) {
          const { source, title, session } = factsOf(id)
          summarise.run(source, cut(title), session, id)
        }
      })
      for (const id of touched) events.passing('observability:recorded', { id })
      return { stored, repeated: spans.length - stored }
    },
    /** Stores what telemetry says of requests, one row each, and says how many were new; a log adds the cost to what a span told. */
    addRequests(requests: readonly ReportedRequest[]): number {
      let stored = 0
      tx(() => {
        for (const one of requests) {
          const { requestId, session, at, model, input, output, cacheRead, cacheWrite, costUsd } = one
          const { changes } = request.run(requestId, session, at, model, input, output, cacheRead, cacheWrite, costUsd)
          stored += changes
          if (changes === 0) addCost.run({ requestId, at, costUsd })
        }
      })
      return stored
    },
    /** A page of traces, the newest first. `before` is the last one of the page before. */
    list(limit: number, before: { at: number; id: string } | null): RecordedTrace[] {
      const after = before === null ? '' : 'WHERE (coalesce(started_at, 0), id) < (?, ?)'
      return db
        .prepare<unknown[], RecordedTrace>(
          `SELECT ${TRACE_COLUMNS} FROM recorded_traces ${after} ORDER BY coalesce(started_at, 0) DESC, id DESC LIMIT ?`,
        )
        .all(...(before === null ? [] : [before.at, before.id]), limit)
    },
    sourceOf: (id: string): ProfileSource | null =>
      db.prepare<[string], { source: ProfileSource }>('SELECT source FROM recorded_traces WHERE id = ?').get(id)?.source ?? null,
    total: (): number => db.prepare<[], { n: number }>('SELECT count(*) AS n FROM recorded_traces').get()!.n,
    /** Removes what telemetry told about a session; must be called in a transaction. */
    forget(session: string): void {
      db.prepare('DELETE FROM recorded_spans WHERE trace_id IN (SELECT id FROM recorded_traces WHERE session = ?)').run(session)
      db.prepare('DELETE FROM recorded_traces WHERE session = ?').run(session)
      db.prepare('DELETE FROM reported_requests WHERE session = ?').run(session)
    },
    prune(): void {
      const since = now() - KEEP_MS
      tx(() => {
        db.prepare('DELETE FROM recorded_spans WHERE trace_id IN (SELECT id FROM recorded_traces WHERE ended_at < ?)').run(since)
        db.prepare('DELETE FROM recorded_traces WHERE ended_at < ?').run(since)
        db.prepare('DELETE FROM reported_requests WHERE at < ?').run(since)
      })
    },
  }
}
export type SpanStore = ReturnType<typeof createSpanStore>

/** A recorded trace with its spans, in the order of their start. Null if there is none. */
export function readRecorded(db: Database, id: string): { trace: RecordedTrace; spans: RecordedSpan[] } | null {
  const trace = db.prepare<[string], RecordedTrace>(`SELECT ${TRACE_COLUMNS} FROM recorded_traces WHERE id = ?`).get(id)
  if (!trace) return null
  type Row = Omit<RecordedSpan, 'tokens'> & SpanTokens & { hasTokens: number }
  const spans = db
    .prepare<[string], Row>(
      `SELECT ${SPAN_COLUMNS} FROM recorded_spans WHERE trace_id = ? ORDER BY started_at, duration_ms DESC, parent_id IS NOT NULL, id`,
    )
    .all(id)
    .map(({ hasTokens, input, output, cacheRead, cacheWrite, ...span }) => ({
      ...span,
      tokens: hasTokens === 1 ? { input, output, cacheRead, cacheWrite } : null,
    }))
  return { trace, spans }
}

/** What telemetry says of the requests of a session. */
export const readReported = (db: Database, session: string): ReportedRequest[] =>
  db
    .prepare<[string], ReportedRequest>(
      `SELECT request_id AS requestId, session, at, model, input, output, cache_read AS cacheRead, cache_write AS cacheWrite, cost_usd AS costUsd
       FROM reported_requests WHERE session = ? ORDER BY at`,
    )
    .all(session)
