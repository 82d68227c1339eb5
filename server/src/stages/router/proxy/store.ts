import type { RouteCause, RouteDecision, RouteStats, RouteStudent } from '#contracts/entities/routing.ts'
import type { RoutingStrategy } from '#contracts/settings/router.ts'
import type { Passed } from '#server/adapters/llm-proxy/index.ts'
import type { Core } from '#server/core.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import { isoOf } from '#server/instant.ts'
import type { RouteChoice } from './conversations.ts'

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
  agent: string | null
  cause: RouteCause
  reason: string | null
  strategy: RoutingStrategy
  student_id: string | null
  student: string | null
  fallback: number
  confidence: number | null
  complexity: number | null
}

const DAY_MS = 86_400_000
const KEPT = { days: 30, rows: 100_000 }
/** How often what is too old is removed. */
const EVERY = 500
const REASON = 'The proxy passed it on to the API as it was.'

/** Requests that passed, of the last 30 days. */
export function createDecisions({ db, now }: Pick<Core, 'db' | 'now'>) {
  const insert = db.prepare(
    `INSERT INTO route_decisions (at, session, agent, model, http_status, first_ms, ms, tokens, error,
       cause, reason, strategy, student_id, student, asked, fallback, confidence, complexity)
     VALUES (@at, @session, @agent, @model, @status, @firstByteMs, @ms, @tokens, @error,
       @cause, @reason, @strategy, @studentId, @student, @asked, @fallback, @confidence, @complexity)`,
  )
  const drop = db.prepare('DELETE FROM route_decisions WHERE at < ? OR no <= (SELECT max(no) FROM route_decisions) - ?')
  const page = db.prepare<[number, number], Row>('SELECT * FROM route_decisions WHERE no < ? ORDER BY no DESC LIMIT ?')
  const one = db.prepare<[number | bigint], Row>('SELECT * FROM route_decisions WHERE no = ?')
  const totals = db.prepare<
    [],
    Record<'requests' | 'failed' | 'sessions' | 'answers' | 'lost' | 'fallbacks', number> & Record<'tokens' | 'since', number | null>
  >(
    `SELECT count(*) AS requests, count(*) FILTER (WHERE error IS NOT NULL OR http_status IS NULL OR http_status >= 400) AS failed,
       count(DISTINCT session) AS sessions, sum(tokens) AS tokens, min(at) AS since,
       count(*) FILTER (WHERE student_id IS NOT NULL AND fallback = 0 AND error IS NULL) AS answers,
       count(*) FILTER (WHERE student_id IS NOT NULL AND fallback = 0 AND error IS NOT NULL) AS lost,
       count(*) FILTER (WHERE fallback = 1) AS fallbacks
     FROM route_decisions`,
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
    add({ at, session, agent, model, status, firstByteMs, ms, usage, error }: Passed, choice: RouteChoice | null): RouteDecision {
      const tokens = usage && usage.input + usage.output
      const student = choice?.student ?? null
      const { lastInsertRowid } = insert.run({
        at,
        session,
        agent,
        model,
        status,
        firstByteMs,
        ms,
        tokens,
        error,
        cause: choice?.cause ?? 'passed',
        reason: choice?.reason ?? null,
        strategy: choice?.strategy ?? 'teacher_only',
        studentId: student?.id ?? null,
        student: student && JSON.stringify(student),
        asked: choice?.isAsked ? 1 : 0,
        fallback: choice?.fallback ? 1 : 0,
        confidence: choice?.confidence ?? null,
        complexity: choice?.complexity ?? null,
      })
      if (added++ % EVERY === 0) drop.run(now() - KEPT.days * DAY_MS, KEPT.rows)
      return decisionOf(one.get(lastInsertRowid)!)
    },
    list(cursor: string | undefined, limit: number) {
      const { items, nextCursor } = pageOf(page.all(numberBefore(cursor), limit + 1), limit, ({ no }) => no)
      return { items: items.map(decisionOf), nextCursor, total: totals.get()!.requests }
    },
    stats(): Omit<RouteStats, 'shadow' | 'mod'> {
      const { since, answers, lost, fallbacks, ...counts } = totals.get()!
      return {
        ...counts,
        student: { answers, failed: lost, fallbacks },
        firstTokenMs: figures('first_ms'),
        latencyMs: figures('ms'),
        since: since === null ? null : isoOf(since),
      }
    },
  }
}

const decisionOf = (row: Row): RouteDecision => ({
  id: String(row.no),
  at: isoOf(row.at),
  strategy: row.strategy,
  selectedModel: row.student_id !== null && row.fallback === 0 ? 'student' : 'teacher',
  cause: row.cause,
  student: row.student === null ? null : (JSON.parse(row.student) as RouteStudent),
  model: row.model,
  session: row.session,
  agent: row.agent,
  taskComplexity: row.complexity,
  confidence: row.confidence,
  evidence: null,
  reason: row.reason ?? REASON,
  fallback: row.fallback === 1,
  latencyMs: row.ms,
  firstTokenMs: row.first_ms,
  tokens: row.tokens,
  costUsd: null, // the session has it, with the cache's life
  status: row.http_status,
  error: row.error,
  outcome: null,
})
