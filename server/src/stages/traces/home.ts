import type { Tier } from '#contracts/entities/common.ts'
import type { HomeOverview } from '#contracts/entities/system.ts'
import { OWN_WORK } from '#contracts/filter.ts'
import type { TraceFilter } from '#contracts/routes/traces.ts'
import type { Core } from '#server/core.ts'
import { dayName } from './filter/days.ts'
import { whereOfFilter } from './filter/query.ts'
import { FAILURE_RUN, UNVERIFIED } from './filter/where.ts'
import { byDay, daysSql } from './list.ts'
import type { DayRow, Lists } from './list.ts'

const DAY_MS = 86_400_000

interface Shortfall {
  id: string
  title: string
  detail: string
  query: string
}

/** Groups of failing sessions. Each count is the total of its query, so that a click lists exactly those. */
export const SHORTFALLS: readonly Shortfall[] = [
  {
    id: 'no-verification',
    title: 'No verification',
    detail: 'Files may have changed, but no test, build or lint ran. Run a test at the end to see whether it worked.',
    query: `is:ended -has:verification calls:>0 ${OWN_WORK}`,
  },
  {
    id: 'failed-at-end',
    title: 'The last check failed',
    detail: 'The deciding tests, build or lint were failing when the session ended.',
    query: `is:ended has:test-fail ${OWN_WORK}`,
  },
  {
    id: 'failure-runs',
    title: 'Many failures in a row',
    detail: `At least ${FAILURE_RUN} calls in one conversation failed in a row.`,
    query: `is:ended has:failure-run ${OWN_WORK}`,
  },
  {
    id: 'unclear-verification',
    title: 'Unclear check results',
    detail: 'A check ran, but neither its exit status nor its output shows whether it passed.',
    query: `is:ended verification:unclear ${OWN_WORK}`,
  },
  {
    id: 'interrupted',
    title: 'Stopped during a call',
    detail: 'The last call has no result.',
    query: `is:interrupted ${OWN_WORK}`,
  },
]

/** Sessions of the last 30 days without a decision of the user. */
export const INBOX_QUERY = `is:ended -is:user-tier -is:sample ${OWN_WORK} age:<30d`

export type HomeReader = ReturnType<typeof createHome>

/** New sessions, tiers over a year, failing groups, the inbox. */
export function createHome(core: Pick<Core, 'now'>, { query }: Lists, lastVisit: () => number | null) {
  return async (): Promise<HomeOverview> => {
    const now = core.now()
    const midnight = new Date(now).setHours(0, 0, 0, 0)
    const since = now - 365 * DAY_MS
    const lastVisitAt = lastVisit()
    const filters: TraceFilter[] = [
      { q: OWN_WORK },
      { q: OWN_WORK, from: new Date(midnight).toISOString() },
      { q: OWN_WORK, from: new Date(now - 7 * DAY_MS).toISOString() },
      { q: 'is:run' },
      ...(lastVisitAt === null ? [] : [{ q: OWN_WORK, from: new Date(lastVisitAt).toISOString() }]),
    ]
    const own = whereOfFilter({ q: OWN_WORK }, now).sql
    const queries = [...SHORTFALLS.map((one) => one.query), INBOX_QUERY]
    const wheres = [...filters, ...queries.map((q) => ({ q }))].map((filter) => whereOfFilter(filter, now))
    // One pass over the sessions for all numbers; none of them searches texts.
    const countStatement = {
      sql: `SELECT ${wheres.map(({ sql }, index) => `count(*) FILTER (WHERE ${sql}) AS n${index}`).join(', ')} FROM traces t`,
      params: wheres.flatMap(({ params }) => params),
    }
    const tiers = { sql: `SELECT tier, count(*) AS n FROM traces t WHERE ${own} GROUP BY tier`, params: [] }
    const days = {
      sql: daysSql(`(SELECT * FROM traces t WHERE started_at >= ? AND ${own})`, `, count(*) FILTER (WHERE ${UNVERIFIED}) AS unverified`),
      params: [since],
    }
    const [byTier, byDays, [counts]] = (await query([tiers, days, countStatement], false)) as [
      { tier: Tier; n: number }[],
      (DayRow & { unverified: number })[],
      Record<string, number>[],
    ]
    const unverifiedByDay = new Map(byDays.flatMap(({ day, tier, unverified }) => (tier === 'gold' ? [[dayName(day), unverified]] : [])))
    const numbers = Object.values(counts!)
    const [total, today, week, runs] = numbers as [number, number, number, number]
    const countByQuery = new Map(queries.map((text, index) => [text, numbers[filters.length + index]!]))
    const inbox = countByQuery.get(INBOX_QUERY)!
    return {
      since: new Date(since).toISOString(),
      cameIn: {
        today,
        week,
        total,
        sinceLastVisit: lastVisitAt === null ? null : numbers[4]!,
        lastVisitAt: lastVisitAt === null ? null : new Date(lastVisitAt).toISOString(),
        runs,
      },
      days: byDay(byDays).map((day) => ({ ...day, unverified: unverifiedByDay.get(day.day) ?? 0 })),
      byTier: { gold: 0, silver: 0, bronze: 0, failed: 0, pending: 0, ...Object.fromEntries(byTier.map(({ tier, n }) => [tier, n])) },
      shortfalls: SHORTFALLS.map((one) => ({ ...one, count: countByQuery.get(one.query)! })).filter(({ count }) => count > 0),
      inbox: { count: inbox, query: INBOX_QUERY },
    }
  }
}
