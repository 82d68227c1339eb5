import type { RouteCause, RouteDecision, RouteDecisionFilter, RouteOutcome, RouteStudent } from '#contracts/entities/routing.ts'
import { AppError } from '#contracts/errors.ts'
import type { RoutingStrategy } from '#contracts/settings/router.ts'
import type { Usage } from '#server/adapters/llm/types.ts'
import type { Passed } from '#server/adapters/llm-proxy/index.ts'
import type { Core } from '#server/core.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import { isoOf } from '#server/instant.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import { traceId } from '../../capture/index.ts'
import { costAtTeacher, costOfAnswer } from '../figures/cost.ts'
import { BY_STUDENT, MEASURED, OUTCOME, OUTCOME_FROM, WITH_SESSION } from '../figures/outcome.ts'
import type { RouteChoice } from './conversations.ts'

interface Row {
  no: number
  at: number
  session: string | null
  trace_id: string | null
  is_captured: number
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
  cost_usd: number | null
  teacher_usd: number | null
  outcome: number | null
  outcome_from: RouteOutcome['from'] | null
}

export interface DecisionDeps {
  prices: () => readonly OwnPrice[]
  /** What these tokens cost at the student, USD; null if that is not known. */
  studentUsd: (modelId: string, usage: Usage | null) => number | null
}

const DAY_MS = 86_400_000
const KEPT = { days: 30, rows: 100_000 }
/** How often what is too old is removed. */
const EVERY = 500
const REASON = 'The proxy passed it on to the API as it was.'

/** Requests that passed, of the last 30 days. */
export function createDecisions({ db, now, tx }: Pick<Core, 'db' | 'now' | 'tx'>, { prices, studentUsd }: DecisionDeps) {
  const insert = db.prepare(
    `INSERT INTO route_decisions (at, session, trace_id, agent, model, http_status, first_ms, ms, tokens, input, error,
       cause, reason, strategy, student_id, student, asked, fallback, confidence, complexity, cost_usd, teacher_usd)
     VALUES (@at, @session, @trace, @agent, @model, @status, @firstByteMs, @ms, @tokens, @input, @error,
       @cause, @reason, @strategy, @studentId, @student, @asked, @fallback, @confidence, @complexity, @costUsd, @teacherUsd)`,
  )
  const addTried = db.prepare('INSERT OR IGNORE INTO route_tried (trace_id) VALUES (?)')
  const forgetTried = db.prepare('DELETE FROM route_tried WHERE trace_id = ?')
  const drop = db.prepare('DELETE FROM route_decisions WHERE at < ? OR no <= (SELECT max(no) FROM route_decisions) - ?')
  const ROW = `SELECT d.*, h.id IS NOT NULL AS is_captured, ${OUTCOME} AS outcome, ${OUTCOME_FROM} AS outcome_from FROM ${WITH_SESSION}`
  const one = db.prepare<[number | bigint], Row>(`${ROW} WHERE d.no = ?`)
  const before = db.prepare<[string, string | null, string], { at: number; input: number }>(
    `SELECT at, input FROM route_decisions WHERE trace_id = ? AND agent IS ? AND student_id = ? AND input IS NOT NULL ORDER BY no DESC LIMIT 1`,
  )
  const report = db.prepare('UPDATE route_decisions SET success = ? WHERE no = ?')
  let added = 0

  /** What a request cost, and what it would have cost at the model that the client asked for. */
  function costs({ model, at, agent, usage }: Passed, choice: RouteChoice | null, asked: string | null, trace: string | null) {
    const student = choice?.student
    if (!student) return { costUsd: costOfAnswer(model, usage, prices()), teacherUsd: null }
    if (choice.fallback) {
      const own = costOfAnswer(model, usage, prices())
      const tried = choice.isAsked ? studentUsd(student.id, null) : 0
      return { costUsd: own === null || tried === null ? null : own + tried, teacherUsd: null }
    }
    const last = trace === null ? null : (before.get(trace, agent, student.id) ?? null)
    const teacherUsd = asked === null || usage === null ? null : costAtTeacher({ model: asked, usage, at, before: last }, prices())
    return { costUsd: usage && studentUsd(student.id, usage), teacherUsd }
  }

  return {
    /** `asked`: the model that the client asked for. */
    add(passed: Passed, choice: RouteChoice | null, asked: string | null): RouteDecision {
      const { at, session, agent, model, status, firstByteMs, ms, usage, error } = passed
      const student = choice?.student ?? null
      const trace = session === null ? null : traceId('claude-code', session)
      const isTried = choice?.isAsked === true && choice.fallback
      const no = tx(() => {
        if (isTried && trace !== null) addTried.run(trace)
        return insert.run({
          at,
          session,
          trace,
          agent,
          model,
          status,
          firstByteMs,
          ms,
          tokens: usage && usage.input + usage.output,
          input: usage && usage.input,
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
          ...costs(passed, choice, asked, trace),
        }).lastInsertRowid
      })
      if (added++ % EVERY === 0) drop.run(now() - KEPT.days * DAY_MS, KEPT.rows)
      return decisionOf(one.get(no)!)
    },
    /** How this answer went, by somebody who knows. Throws `route_decision_not_found`. */
    report(id: string, success: number): RouteDecision {
      const no = /^\d{1,15}$/.test(id) ? Number(id) : null
      if (no === null || report.run(success, no).changes === 0) throw new AppError('route_decision_not_found')
      return decisionOf(one.get(no)!)
    },
    list(cursor: string | undefined, limit: number, { from, to, by, model, tenth }: RouteDecisionFilter) {
      const wheres = [
        ...(from === undefined ? [] : ['d.at >= @from']),
        ...(to === undefined ? [] : ['d.at < @to']),
        ...(by === undefined ? [] : [BY[by]]),
        ...(model === undefined ? [] : ['d.model = @model']),
        ...(tenth === undefined ? [] : [`${MEASURED} AND min(9, cast(d.confidence * 10 AS INTEGER)) = @tenth`]),
      ]
      const values = { from: from && Date.parse(from), to: to && Date.parse(to), model, tenth }
      const where = ['TRUE', ...wheres].join(' AND ')
      const rows = db
        .prepare<object, Row>(`${ROW} WHERE ${where} AND d.no < @before ORDER BY d.no DESC LIMIT @limit`)
        .all({ ...values, before: numberBefore(cursor), limit: limit + 1 })
      const { items, nextCursor } = pageOf(rows, limit, ({ no }) => no)
      const table = tenth === undefined ? 'route_decisions d' : WITH_SESSION
      const { total } = db.prepare<object, { total: number }>(`SELECT count(*) AS total FROM ${table} WHERE ${where}`).get(values)!
      return { items: items.map(decisionOf), nextCursor, total }
    },
    /** A job that the student was asked for is no longer known. */
    forget: (trace: string): void => void forgetTried.run(trace),
  }
}

const BY = {
  student: BY_STUDENT,
  fallback: 'd.fallback = 1',
  teacher: 'd.student_id IS NULL',
} as const satisfies Record<NonNullable<RouteDecisionFilter['by']>, string>

const decisionOf = (row: Row): RouteDecision => ({
  id: String(row.no),
  at: isoOf(row.at),
  strategy: row.strategy,
  selectedModel: row.student_id !== null && row.fallback === 0 ? 'student' : 'teacher',
  cause: row.cause,
  student: row.student === null ? null : (JSON.parse(row.student) as RouteStudent),
  model: row.model,
  session: row.session,
  traceId: row.is_captured === 1 ? row.trace_id : null,
  agent: row.agent,
  taskComplexity: row.complexity,
  confidence: row.confidence,
  evidence: null,
  reason: row.reason ?? REASON,
  fallback: row.fallback === 1,
  latencyMs: row.ms,
  firstTokenMs: row.first_ms,
  tokens: row.tokens,
  costUsd: row.cost_usd,
  teacherUsd: row.teacher_usd,
  status: row.http_status,
  error: row.error,
  outcome: row.outcome === null || row.outcome_from === null ? null : { value: row.outcome, from: row.outcome_from },
})
