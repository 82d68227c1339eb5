import type { RouteDecision, RouteStats } from '#contracts/entities/routing.ts'
import type { Passed } from '#server/adapters/llm-proxy/index.ts'
import type { Core } from '#server/core.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import { isoOf } from '#server/instant.ts'

interface Row {
  no: number
  at: number
  session: string | null
  model: string | null
  http_status: number | null
  first_ms: number | null
  ms: number
  tokens: number | null
  error: string | null
}

const DAY_MS = 86_400_000
const KEPT = { days: 30, rows: 100_000 }
/** How often what is too old is removed. */
const EVERY = 500
const REASON = 'The proxy passes everything on to the API as it is.'

/** Requests that passed, of the last 30 days. */
export function createDecisions({ db, now }: Pick<Core, 'db' | 'now'>) {
  const insert = db.prepare(
    'INSERT INTO route_decisions (at, session, model, http_status, first_ms, ms, tokens, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const drop = db.prepare('DELETE FROM route_decisions WHERE at < ? OR no <= (SELECT max(no) FROM route_decisions) - ?')
  const page = db.prepare<[number, number], Row>('SELECT * FROM route_decisions WHERE no < ? ORDER BY no DESC LIMIT ?')
  const one = db.prepare<[number | bigint], Row>('SELECT * FROM route_decisions WHERE no = ?')
  const totals = db.prepare<[], Record<'requests' | 'failed' | 'sessions', number> & Record<'tokens' | 'since', number | null>>(
    `SELECT count(*) AS requests, count(*) FILTER (WHERE error IS NOT NULL OR http_status IS NULL OR http_status >= 400) AS failed,
       count(DISTINCT session) AS sessions, sum(tokens) AS tokens, min(at) AS since FROM route_decisions`,
  )
  const shareOf = (column: 'ms' | 'first_ms', part: number) =>
    db
      .prepare<[], { value: number }>(
        `SELECT ${column} AS value FROM route_decisions WHERE ${column} IS NOT NULL ORDER BY ${column}
         LIMIT 1 OFFSET (SELECT cast((count(${column}) - 1) * ${part} + .5 AS INTEGER) FROM route_decisions)`,
      )
      .get()?.value
  const figures = (column: 'ms' | 'first_ms') => {
    const [p50, p95] = [shareOf(column, 0.5), shareOf(column, 0.95)]
    return p50 === undefined || p95 === undefined ? null : { p50, p95 }
  }
  let added = 0

  return {
    add({ at, session, model, status, firstByteMs, ms, usage, error }: Passed): RouteDecision {
      const tokens = usage && usage.input + usage.output
      const { lastInsertRowid } = insert.run(at, session, model, status, firstByteMs, ms, tokens, error)
      if (added++ % EVERY === 0) drop.run(now() - KEPT.days * DAY_MS, KEPT.rows)
      return decisionOf(one.get(lastInsertRowid)!)
    },
    list(cursor: string | undefined, limit: number) {
      const { items, nextCursor } = pageOf(page.all(numberBefore(cursor), limit + 1), limit, ({ no }) => no)
      return { items: items.map(decisionOf), nextCursor, total: totals.get()!.requests }
    },
    stats(): Omit<RouteStats, 'mod'> {
      const { since, ...counts } = totals.get()!
      return {
        ...counts,
        firstTokenMs: figures('first_ms'),
        latencyMs: figures('ms'),
        since: since === null ? null : isoOf(since),
      }
    },
  }
}

const decisionOf = ({ no, at, session, model, http_status: status, first_ms: firstTokenMs, ms, tokens, error }: Row): RouteDecision => ({
  id: String(no),
  at: isoOf(at),
  strategy: 'teacher_only', // what was done, whatever the setting
  selectedModel: 'teacher',
  student: null,
  model,
  session,
  taskComplexity: null,
  confidence: null,
  evidence: null,
  reason: REASON,
  fallback: false,
  latencyMs: ms,
  firstTokenMs,
  tokens,
  costUsd: null, // the session has it, with the cache's life
  status,
  error,
  outcome: null,
})
