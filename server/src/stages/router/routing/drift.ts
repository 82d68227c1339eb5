import { wilson } from '#contracts/wilson.ts'
import type { Core } from '#server/core.ts'
import { CLIENT_ENDED } from '#server/adapters/llm-proxy/index.ts'
import { isoOf } from '#server/instant.ts'
import { BY_STUDENT } from '../figures/outcome.ts'

export interface Alarm {
  at: number
  reason: string
}

/** Where results are looked at: after each one, chance alone would raise an alarm sooner or later. */
const LOOKS = [20, 50, 100, 200]
const EVERY = 200

/** Whether a look is due between two counts. */
export const isLook = (before: number, n: number): boolean =>
  LOOKS.some((look) => before < look && n >= look) || (n > EVERY && Math.floor(before / EVERY) < Math.floor(n / EVERY))

interface Since {
  model: string
  from: number
  /** An answer that the client did not wait for is no failure. */
  ended: string
}
interface Result {
  n: number
  passed: number
}

const COUNTED = {
  answers: (passed: number, n: number) => `${n - passed} of ${n} requests got no usable answer from it`,
  sessions: (passed: number, n: number) => `${n - passed} of the ${n} verified sessions that it worked in failed`,
  reports: (passed: number, n: number) => `${Math.round(n - passed)} of ${n} reported answers were wrong`,
}

/** Takes the share of a model back when its results fall below the limit, whatever an exam said. */
export function createDrift({ db, now, tx, events }: Pick<Core, 'db' | 'now' | 'tx' | 'events'>, limit: () => number) {
  const newest = db.prepare<[string], Alarm & { no: number; ended_at: number | null }>(
    'SELECT no, at, reason, ended_at FROM route_alarms WHERE model_id = ? ORDER BY no DESC LIMIT 1',
  )
  const proof = db.prepare<[string], { at: number | null }>(
    "SELECT max(at) AS at FROM model_verdicts WHERE model_id = ? AND verdict = 'ship' AND of_base",
  )
  const add = db.prepare('INSERT INTO route_alarms (model_id, reason, at) VALUES (?, ?, ?)')
  const end = db.prepare('UPDATE route_alarms SET ended_at = ? WHERE no = ?')
  const results = {
    answers: db.prepare<Since, Result>(
      `SELECT count(*) AS n, count(*) FILTER (WHERE fallback = 0 AND error IS NULL) AS passed
       FROM route_decisions WHERE student_id = @model AND at > @from AND asked = 1 AND error IS NOT @ended`,
    ),
    sessions: db.prepare<Since, Result>(
      `SELECT count(*) AS n, count(*) FILTER (WHERE h.verification = 'passed') AS passed FROM session_heads h
       WHERE h.verification IN ('passed', 'failed') AND h.id IN (SELECT trace_id FROM route_conversations WHERE model_id = @model AND at > @from)`,
    ),
    reports: db.prepare<Since, Result>(
      `SELECT coalesce(sum(n), 0) AS n, coalesce(sum(passed), 0) AS passed FROM (
         SELECT samples AS n, samples * success_rate AS passed FROM route_reports WHERE model_id = @model AND at > @from
         UNION ALL SELECT 1, success FROM route_decisions d WHERE d.student_id = @model AND d.at > @from AND d.success IS NOT NULL AND ${BY_STUDENT})`,
    ),
  }
  const seen = new Map<string, number>()

  function open(modelId: string): Alarm | null {
    const alarm = newest.get(modelId)
    if (!alarm || alarm.ended_at !== null || (proof.get(modelId)?.at ?? 0) > alarm.at) return null
    return alarm
  }
  /** Results before a new exam, and before the user's own word, are about another state of the model. */
  const since = (modelId: string): number => Math.max(proof.get(modelId)?.at ?? 0, newest.get(modelId)?.ended_at ?? 0)

  return {
    open,
    /** Looks at the results of a model when enough are new. */
    look(modelId: string, label: string): void {
      if (open(modelId)) return
      const from = since(modelId)
      for (const [kind, query] of Object.entries(results)) {
        const { n, passed } = query.get({ model: modelId, from, ended: CLIENT_ENDED })!
        const key = `${modelId} ${kind} ${from}`
        const before = seen.get(key) ?? 0
        seen.set(key, n)
        const interval = isLook(before, n) ? wilson(passed, n) : null
        if (interval === null || interval.high >= limit()) continue
        const what = COUNTED[kind as keyof typeof COUNTED](passed, n)
        const reason = `The share of ${label} was taken back: ${what}, so with 95 % confidence at most ${Math.round(interval.high * 100)} % are right.`
        tx(() => {
          add.run(modelId, reason, now())
          events.append('router:alarm', { modelId, reason })
        })
        return
      }
    },
    /** The user lets the model work again; only later results count. */
    end(modelId: string): void {
      const alarm = newest.get(modelId)
      if (alarm && open(modelId)) end.run(now(), alarm.no)
    },
    shown: (modelId: string) => {
      const alarm = open(modelId)
      return alarm && { at: isoOf(alarm.at), reason: alarm.reason }
    },
  }
}
