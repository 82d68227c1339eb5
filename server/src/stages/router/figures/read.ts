import type { RouteStats, RouteStudent } from '#contracts/entities/routing.ts'
import { wilson } from '#contracts/wilson.ts'
import { CLIENT_ENDED } from '#server/adapters/llm-proxy/index.ts'
import type { Database } from '#server/db/open.ts'
import { isoOf } from '#server/instant.ts'
import { BY_STUDENT, MEASURED, RIGHT, WITH_SESSION } from './outcome.ts'

export type Figures = Omit<RouteStats, 'shadow' | 'mod'>
type Pictures = Figures['pictures']

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Longer than this, hours are too many. */
const MOST_HOURS = 48

/** Figures of all stored requests. */
export function readFigures(db: Database, now: number): Figures {
  const { since, answers, lost, fallbacks, ...counts } = db
    .prepare<
      [string],
      Record<'requests' | 'failed' | 'sessions' | 'answers' | 'lost' | 'fallbacks', number> & Record<'tokens' | 'since', number | null>
    >(
      `SELECT count(*) AS requests, count(*) FILTER (WHERE error IS NOT NULL OR http_status IS NULL OR http_status >= 400) AS failed,
         count(DISTINCT session) AS sessions, sum(tokens) AS tokens, min(at) AS since,
         count(*) FILTER (WHERE student_id IS NOT NULL AND fallback = 0 AND error IS NULL) AS answers,
         count(*) FILTER (WHERE student_id IS NOT NULL AND fallback = 0 AND error <> ?) AS lost,
         count(*) FILTER (WHERE fallback = 1) AS fallbacks
       FROM route_decisions`,
    )
    .get(CLIENT_ENDED)!
  const saved = db
    .prepare<[], { usd: number | null; answers: number; unpriced: number }>(
      `SELECT sum(d.teacher_usd - d.cost_usd) AS usd, count(d.teacher_usd - d.cost_usd) AS answers,
         count(*) FILTER (WHERE d.teacher_usd - d.cost_usd IS NULL) AS unpriced
       FROM route_decisions d WHERE ${BY_STUDENT}`,
    )
    .get()!
  const { byModel, firstTokenMs, latencyMs } = times(db)
  return {
    ...counts,
    student: { answers, failed: lost, fallbacks },
    saved,
    firstTokenMs,
    latencyMs,
    since: since === null ? null : isoOf(since),
    pictures: { ...over(db, now), byModel, calibration: calibration(db) },
  }
}

/** Requests by time, in whole hours or days from the first one on. */
function over(db: Database, now: number): Pick<Pictures, 'unit' | 'over'> {
  const from = now - 30 * DAY_MS
  const start = db
    .prepare<[number, number], { at: number | null }>(
      'SELECT min(at) AS at FROM (SELECT min(at) AS at FROM route_decisions WHERE at >= ? UNION ALL SELECT min(at) FROM mod_steps WHERE at >= ?)',
    )
    .get(from, from)!.at
  if (start === null) return { unit: 'day', over: [] }
  const unit = now - start < MOST_HOURS * HOUR_MS ? 'hour' : 'day'
  const length = unit === 'hour' ? HOUR_MS : DAY_MS
  const rows = db
    .prepare<Record<'from' | 'length', number>, Record<'slot' | 'teacher' | 'student' | 'fallbacks' | 'gym', number>>(
      `SELECT slot, sum(teacher) AS teacher, sum(student) AS student, sum(fallbacks) AS fallbacks, sum(gym) AS gym FROM (
         SELECT cast(at / @length AS INTEGER) AS slot, student_id IS NULL AS teacher, student_id IS NOT NULL AND fallback = 0 AND error IS NULL AS student,
           fallback AS fallbacks, 0 AS gym FROM route_decisions WHERE at >= @from
         UNION ALL SELECT cast(at / @length AS INTEGER), 0, 0, 0, 1 FROM mod_steps WHERE at >= @from AND failed = 0) GROUP BY slot`,
    )
    .all({ from, length })
  const known = new Map(rows.map((row) => [row.slot, row]))
  const first = Math.floor(start / length)
  // an area needs two points
  const slots = Math.max(2, Math.floor(now / length) - first + 1)
  return {
    unit,
    over: Array.from({ length: slots }, (_, no) => {
      const slot = first + no
      const { teacher = 0, student = 0, fallbacks = 0, gym = 0 } = known.get(slot) ?? {}
      return { at: isoOf(slot * length), teacher, student, fallbacks, gym }
    }),
  }
}

type Timed = [model: string | null, student: string | null, fallback: number, first: number | null, ms: number]

/** How long answers took. What Claude answered after the student was waited for says nothing of Claude. */
function times(db: Database): Pick<Figures, 'firstTokenMs' | 'latencyMs'> & Pick<Pictures, 'byModel'> {
  const all = { first: [] as number[], ms: [] as number[] }
  const models = new Map<string, { name: string; isStudent: boolean; first: number[]; ms: number[] }>()
  const rows = db
    .prepare<[], Timed>(
      'SELECT CASE WHEN error IS NULL AND http_status < 400 THEN model END, student, fallback, first_ms, ms FROM route_decisions',
    )
    .raw() as unknown as { iterate: () => Iterable<Timed> } // rows as lists, which its types do not know
  for (const [model, student, fallback, first, ms] of rows.iterate()) {
    all.ms.push(ms)
    if (first !== null) all.first.push(first)
    if (model === null || fallback === 1) continue
    let of = models.get(model)
    if (!of) {
      const name = student === null ? model : (JSON.parse(student) as RouteStudent).name
      models.set(model, (of = { name, isStudent: student !== null, first: [], ms: [] }))
    }
    of.ms.push(ms)
    if (first !== null) of.first.push(first)
  }
  return {
    firstTokenMs: percentiles(all.first),
    latencyMs: percentiles(all.ms),
    byModel: [...models]
      .toSorted(([, a], [, b]) => b.ms.length - a.ms.length)
      .map(([model, { first, ms, ...rest }]) => ({
        model,
        ...rest,
        requests: ms.length,
        firstTokenMs: percentiles(first),
        latencyMs: percentiles(ms)!,
      })),
  }
}

function percentiles(values: number[]): { p50: number; p95: number } | null {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).toSorted()
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)]!
  return { p50: at(0.5), p95: at(0.95) }
}

/** The confidence of decisions against how their conversations turned out. */
function calibration(db: Database): Pictures['calibration'] {
  return db
    .prepare<[], { tenth: number; confidence: number; n: number; right: number }>(
      `SELECT min(9, cast(confidence * 10 AS INTEGER)) AS tenth, avg(confidence) AS confidence, count(*) AS n, sum(value) AS right FROM (
         SELECT avg(d.confidence) AS confidence, avg(${RIGHT}) AS value FROM ${WITH_SESSION}
         WHERE d.confidence IS NOT NULL AND ${MEASURED} GROUP BY coalesce(d.trace_id, d.no))
       GROUP BY tenth ORDER BY tenth`,
    )
    .all()
    .map((row) => ({ ...row, ...wilson(row.right, row.n)! }))
}
