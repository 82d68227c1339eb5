import { randomUUID } from 'node:crypto'
import type { GuardrailEvent, GuardTaint } from '#contracts/entities/guardrail.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'

type Row = Omit<GuardrailEvent, 'at' | 'sandboxId' | 'traceId' | 'stepId' | 'wasRight' | 'taint'> & {
  no: number
  at: number
  sandbox_id: string | null
  trace_id: string | null
  step_id: string | null
  was_right: 0 | 1 | null
}

const FILTERED = ['verdict', 'profile', 'type', 'source', 'action', 'rule'] as const

export interface EventFilter extends Partial<Record<(typeof FILTERED)[number], string | undefined>> {
  cursor?: string | undefined
  limit: number
}

/** An event before it is stored. Without an id it gets one; without a time it is now. */
export type NewEvent = Omit<GuardrailEvent, 'id' | 'at' | 'wasRight' | 'taint'> & { id?: string; at?: number }

export interface RuleCounts {
  rule: string
  events: number
  judged: number
  wrong: number
}

interface TaintRow {
  no: number
  trace_id: string
  step_id: string
  command: string
  denied: 0 | 1
  source_step_id: string
  source: GuardTaint['source']
  tool: string
  came_from: string
  line: string
  words: string
}

const toTaint = (row: TaintRow): GuardTaint => ({
  traceId: row.trace_id,
  stepId: row.step_id,
  command: row.command,
  denied: row.denied === 1,
  sourceStepId: row.source_step_id,
  source: row.source,
  tool: row.tool,
  from: row.came_from,
  line: row.line,
  words: JSON.parse(row.words) as GuardTaint['words'],
})

const toEvent = (
  { no: _no, at, sandbox_id, trace_id, step_id, was_right, ...row }: Row,
  taintOf: (traceId: string, stepId: string) => GuardTaint[],
): GuardrailEvent => ({
  ...row,
  at: isoOf(at),
  sandboxId: sandbox_id,
  traceId: trace_id,
  stepId: step_id,
  wasRight: was_right === null ? null : was_right === 1,
  taint: row.type === 'code' && trace_id !== null && step_id !== null ? taintOf(trace_id, step_id) : [],
})

export const dayOf = (at: number): string => isoOf(at).slice(0, 10)

export function createGuardrailStore(db: Database, now: () => number) {
  const insert = db.prepare(
    `INSERT INTO guardrail_events (id, at, verdict, action, type, source, rule, reason, profile, score, sandbox_id, trace_id, step_id, excerpt)
     VALUES (@id, @at, @verdict, @action, @type, @source, @rule, @reason, @profile, @score, @sandboxId, @traceId, @stepId, @excerpt)
     ON CONFLICT (id) DO UPDATE SET action = excluded.action`,
  )
  const reported = db.prepare<unknown[], { id: string }>(
    `UPDATE guardrail_events SET source = @source, action = @action WHERE id = (
       SELECT id FROM guardrail_events WHERE trace_id = @traceId AND step_id = @stepId AND type = 'code' ORDER BY no LIMIT 1) RETURNING id`,
  )
  const reportedSteps = db.prepare<[string], { step: string }>(
    "SELECT step_id AS step FROM guardrail_events WHERE trace_id = ? AND step_id IS NOT NULL AND type = 'code' AND source <> 'session'",
  )
  const refuse = db.prepare(
    "UPDATE guardrail_events SET action = 'blocked' WHERE trace_id = ? AND step_id = ? AND type = 'code' AND source <> 'session' AND action = 'ran'",
  )
  const where = FILTERED.map((name) => `(@${name} IS NULL OR ${name} = @${name})`).join(' AND ')
  const count = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM guardrail_events WHERE ${where}`)
  const list = db.prepare<unknown[], Row>(`SELECT * FROM guardrail_events WHERE ${where} AND no < @before ORDER BY no DESC LIMIT @limit`)
  const one = db.prepare<[string], Row>('SELECT * FROM guardrail_events WHERE id = ?')
  const review = db.prepare('UPDATE guardrail_events SET was_right = ? WHERE id = ?')
  const byRule = db.prepare<[], RuleCounts>(
    'SELECT rule, count(*) AS events, count(was_right) AS judged, coalesce(sum(was_right = 0), 0) AS wrong FROM guardrail_events GROUP BY rule',
  )
  const allow = db.prepare(
    'INSERT INTO guardrail_allowed VALUES (@traceId, @day, @checks) ON CONFLICT (trace_id, day) DO UPDATE SET checks = checks + excluded.checks',
  )
  const days = db.prepare<[], { day: string; allow: number; warn: number; block: number }>(
    `SELECT day, sum(allow) AS allow, sum(warn) AS warn, sum(block) AS block FROM (
       SELECT day, checks AS allow, 0 AS warn, 0 AS block FROM guardrail_allowed
       UNION ALL SELECT date(at / 1000, 'unixepoch'), 0, verdict = 'warn', verdict = 'block' FROM guardrail_events
     ) GROUP BY day ORDER BY day`,
  )
  const sweeps = db.prepare<[], { trace_id: string; rev: number; rules: string }>('SELECT * FROM guardrail_sweeps')
  const saveSweep = db.prepare(
    'INSERT INTO guardrail_sweeps VALUES (?, ?, ?) ON CONFLICT (trace_id) DO UPDATE SET rev = excluded.rev, rules = excluded.rules',
  )
  const forgetAllowed = db.prepare('DELETE FROM guardrail_allowed WHERE trace_id = ?')
  const addTaint = db.prepare(
    `INSERT INTO guardrail_taint (trace_id, step_id, command, denied, source_step_id, source, tool, came_from, line, words)
     VALUES (@traceId, @stepId, @command, @denied, @sourceStepId, @source, @tool, @from, @line, @words)`,
  )
  const taint = db.prepare<unknown[], TaintRow>(
    'SELECT * FROM guardrail_taint WHERE (@traceId IS NULL OR trace_id = @traceId) AND no < @before ORDER BY no DESC LIMIT @limit',
  )
  const countTaint = db.prepare<unknown[], { n: number }>(
    'SELECT count(*) AS n FROM guardrail_taint WHERE (@traceId IS NULL OR trace_id = @traceId)',
  )
  const taintOfStep = db.prepare<[string, string], TaintRow>('SELECT * FROM guardrail_taint WHERE trace_id = ? AND step_id = ? ORDER BY no')
  const forgetTaint = db.prepare('DELETE FROM guardrail_taint WHERE trace_id = ?')
  const taintOf = (traceId: string, stepId: string) => taintOfStep.all(traceId, stepId).map(toTaint)
  const forgets = ['guardrail_events', 'guardrail_sweeps', 'guardrail_taint'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE trace_id = ?`),
  )

  const require = (id: string): Row => {
    const row = one.get(id)
    if (!row) throw new AppError('not_found', { message: `There is no guardrail event with the id ${id}.` })
    return row
  }

  return {
    /** If an event with the id exists, only what was done can be new. */
    add({ id = randomUUID(), at = now(), ...event }: NewEvent): GuardrailEvent {
      insert.run({ ...event, id, at })
      return toEvent(require(id), taintOf)
    },
    has: (id: string): boolean => one.get(id) !== undefined,
    /** Adds what the client told of a command while it ran; the check of its session may have found the same before. */
    addReported(event: NewEvent): GuardrailEvent {
      const known = event.stepId === null ? undefined : reported.get(event)
      return known ? toEvent(require(known.id), taintOf) : this.add(event)
    },
    /** Commands of a session that the client told of. */
    reportedSteps: (traceId: string) => new Set(reportedSteps.all(traceId).map(({ step }) => step)),
    /** Observed only, and refused by somebody else. */
    refuse: (traceId: string, stepId: string): void => void refuse.run(traceId, stepId),
    review(id: string, wasRight: boolean | null): GuardrailEvent {
      require(id)
      review.run(wasRight === null ? null : Number(wasRight), id)
      return toEvent(require(id), taintOf)
    },
    countsByRule: (): RuleCounts[] => byRule.all(),
    days: () => days.all(),
    addAllowed: (checks: number, at: number): void => void allow.run({ traceId: '', day: dayOf(at), checks }),
    sweeps: () => new Map(sweeps.all().map(({ trace_id: id, rev, rules }) => [id, { rev, rules }])),
    saveSweep(traceId: string, { rev, rules, allowed }: { rev: number; rules: string; allowed: ReadonlyMap<string, number> }): void {
      forgetAllowed.run(traceId)
      for (const [day, checks] of allowed) allow.run({ traceId, day, checks })
      saveSweep.run(traceId, rev, rules)
    },
    /** Replaces the lines of a session. */
    saveTaint(traceId: string, lines: readonly Omit<GuardTaint, 'traceId'>[]): void {
      forgetTaint.run(traceId)
      for (const line of lines) addTaint.run({ ...line, traceId, denied: Number(line.denied), words: JSON.stringify(line.words) })
    },
    taint({ traceId = null, cursor, limit }: { traceId?: string | undefined | null; cursor?: string | undefined; limit: number }) {
      const rows = taint.all({ traceId, before: numberBefore(cursor), limit: limit + 1 })
      const { items, nextCursor } = pageOf(rows, limit, ({ no }) => no)
      return { items: items.map(toTaint), nextCursor, total: countTaint.get({ traceId })!.n }
    },
    forget(traceId: string): void {
      for (const statement of [forgetAllowed, ...forgets]) statement.run(traceId)
    },
    list({ cursor, limit, ...chosen }: EventFilter) {
      const filter = Object.fromEntries(FILTERED.map((name) => [name, chosen[name] ?? null]))
      const rows = list.all({ ...filter, before: numberBefore(cursor), limit: limit + 1 })
      const { items, nextCursor } = pageOf(rows, limit, ({ no }) => no)
      return { items: items.map((row) => toEvent(row, taintOf)), nextCursor, total: count.get(filter)!.n }
    },
  }
}

export type GuardrailStore = ReturnType<typeof createGuardrailStore>
