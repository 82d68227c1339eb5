import type { ReadingReason, ThermometerRequest } from '#contracts/entities/thermometer.ts'

/** A new version right after a reading waits this long. */
const LEAST_GAP_MS = 24 * 3600_000
const WEEK_MS = 7 * LEAST_GAP_MS

/** The client and models of a session. */
export interface Used {
  client: string | null
  models: readonly string[]
}
export interface Seen {
  clients: readonly string[]
  models: readonly string[]
}

export type News = Extract<ReadingReason, 'client' | 'model'>

/** The date after `lastAt`; null if there is none. */
export function nextDate(every: ThermometerRequest['every'], lastAt: number): number | null {
  if (every === 'never') return null
  if (every === 'week') return lastAt + WEEK_MS
  const last = new Date(lastAt)
  const next = new Date(lastAt)
  next.setUTCDate(1)
  next.setUTCMonth(last.getUTCMonth() + 1)
  const days = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
  next.setUTCDate(Math.min(last.getUTCDate(), days))
  return next.getTime()
}

/** Why a reading is due; null if none is. Dates that were missed are one reading, however many they are. */
export function dueReason(
  { every }: Pick<ThermometerRequest, 'every'>,
  { lastAt, now, news }: { lastAt: number; now: number; news: News | null },
): Extract<ReadingReason, 'date'> | News | null {
  const next = nextDate(every, lastAt)
  if (next !== null && now >= next) return 'date'
  return now - lastAt >= LEAST_GAP_MS ? news : null
}

/** What sessions use that none used before. */
export function newsIn(
  { afterClient, afterModel }: Pick<ThermometerRequest, 'afterClient' | 'afterModel'>,
  seen: Seen,
  used: readonly Used[],
): News | null {
  if (afterModel && used.some(({ models }) => models.some((model) => !seen.models.includes(model)))) return 'model'
  return afterClient && used.some(({ client }) => client !== null && !seen.clients.includes(client)) ? 'client' : null
}

export const withUsed = (seen: Seen, used: readonly Used[]): Seen => ({
  clients: [...new Set([...seen.clients, ...used.flatMap(({ client }) => client ?? [])])],
  models: [...new Set([...seen.models, ...used.flatMap(({ models }) => models)])],
})
