import type { ModAnswer, ModelWork, ModStep } from '#contracts/entities/router.ts'
import type { RouteStats } from '#contracts/entities/routing.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import { BY_STUDENT } from '../figures/outcome.ts'

const KEPT = 200_000
/** How often what is too old is removed. */
const EVERY = 500

interface Totals {
  steps: number
  failed: number
  agents: number
  tokens: number | null
  since: number | null
}

/** Steps of the gym agent that were answered through the mod. */
export function createModSteps({ db, now, events }: Pick<Core, 'db' | 'now' | 'events'>) {
  const insert = db.prepare('INSERT INTO mod_steps (at, model_id, agent, ms, tokens, failed) VALUES (?, ?, ?, ?, ?, ?)')
  const drop = db.prepare('DELETE FROM mod_steps WHERE no <= (SELECT max(no) FROM mod_steps) - ?')
  const totals = db.prepare<{ model: string | null }, Totals>(
    `SELECT count(*) FILTER (WHERE failed = 0) AS steps, count(*) FILTER (WHERE failed = 1) AS failed, count(DISTINCT agent) AS agents,
       sum(tokens) AS tokens, min(at) AS since
     FROM mod_steps WHERE @model IS NULL OR model_id = @model`,
  )
  const place = (share: number) =>
    db.prepare<[], { ms: number }>(
      `SELECT ms FROM mod_steps WHERE failed = 0 ORDER BY ms
       LIMIT 1 OFFSET (SELECT cast((count(*) - 1) * ${share} + .5 AS INTEGER) FROM mod_steps WHERE failed = 0)`,
    )
  const [p50, p95] = [place(0.5), place(0.95)]
  const sessions = db.prepare<[string], { n: number }>(
    'SELECT count(DISTINCT e.trace_id) AS n FROM student_entries e JOIN students s ON s.name = e.name WHERE s.model_id = ?',
  )
  const byProxy = db.prepare<string, { answers: number; fallbacks: number; last: number | null }>(
    `SELECT count(*) FILTER (WHERE ${BY_STUDENT}) AS answers, count(*) FILTER (WHERE d.fallback = 1) AS fallbacks,
       (SELECT max(at) FROM student_steps WHERE model_id = m.id) AS last
     FROM (SELECT ? AS id) m LEFT JOIN route_decisions d ON d.student_id = m.id`,
  )
  const totalsOf = (model: string | null) => totals.get({ model })!
  let count = 0

  return {
    /** Answers a step, and writes down how. */
    async measured(modelId: string | null, { agentId }: Pick<ModStep, 'agentId'>, answer: () => Promise<ModAnswer>): Promise<ModAnswer> {
      const startedAt = performance.now()
      const answered = await answer()
      const { input, output } = answered.usage
      insert.run(now(), modelId, agentId, performance.now() - startedAt, answered.failed ? null : input + output, answered.failed ? 1 : 0)
      if (count++ % EVERY === 0) drop.run(KEPT)
      events.passing('router:step', { modelId, failed: answered.failed })
      return answered
    },
    stats(): RouteStats['mod'] {
      const { steps, failed, agents, tokens, since } = totalsOf(null)
      const [half, most] = [p50.get(), p95.get()]
      return {
        steps,
        failed,
        agents,
        tokens,
        latencyMs: half && most ? { p50: half.ms, p95: most.ms } : null,
        since: since === null ? null : isoOf(since),
      }
    },
    work(modelId: string): ModelWork {
      const { steps, failed, agents, tokens } = totalsOf(modelId)
      const { last, ...answered } = byProxy.get(modelId)!
      return {
        steps,
        failed,
        agents,
        tokens,
        ...answered,
        sessions: sessions.get(modelId)?.n ?? 0,
        lastAt: last === null ? null : isoOf(last),
      }
    },
  }
}
