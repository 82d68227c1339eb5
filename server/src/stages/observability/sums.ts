import type { SpanTokens } from '#contracts/entities/profile.ts'

export const workingTime = (durationMs: number | null, waitingMs: number | null): number | null =>
  durationMs === null || waitingMs === null ? null : Math.max(0, durationMs - waitingMs)

/** Of the kinds that are known; null if none is. */
export function totalOf(tokens: SpanTokens): number | null {
  const known = Object.values(tokens).filter((count) => count !== null)
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
}
