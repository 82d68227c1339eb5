import type { DatasetBuilt } from '#contracts/entities/dataset.ts'
import { shuffled } from './seeded-random.ts'

interface Row {
  id: string
  /** Null for rows without a session, which have no limit. */
  session: string | null
}

/**
 * The rows to drop so that no session gives more than `share` of those that stay, with the number of rows that a session
 * may give. None if there are too few sessions for such a share. The seed decides which rows of a session stay.
 */
export function overShare(rows: readonly Row[], share: number, seed: number): { id: string; cap: number }[] {
  const groups = Map.groupBy(
    rows.filter(({ session }) => session !== null),
    ({ session }) => session!,
  )
  const cap = capOf(
    [...groups.values()].map(({ length }) => length),
    rows.length,
    share,
  )
  if (cap === null) return []
  return [...groups.values()].flatMap((members) =>
    shuffled(members, seed, ({ id }) => id)
      .slice(cap)
      .map(({ id }) => ({ id, cap })),
  )
}

/** The largest number of rows per session that is at most `share` of all rows then left; null if there is none. */
function capOf(sizes: readonly number[], total: number, share: number): number | null {
  const others = total - sizes.reduce((sum, size) => sum + size, 0)
  const fits = (cap: number) => cap <= share * (others + sizes.reduce((sum, size) => sum + Math.min(size, cap), 0)) + 1e-9
  let [low, high] = [0, Math.max(0, ...sizes)]
  // what is left grows ever slower with the cap, so every cap below one that fits does too
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low === 0 ? null : low
}

/** The session with most rows (ties: the first), and its share of all rows; null if no row has a session. */
export function largestSession(sessions: readonly (string | null)[]): DatasetBuilt['largestSession'] {
  const counts = new Map<string, number>()
  for (const session of sessions) if (session !== null) counts.set(session, (counts.get(session) ?? 0) + 1)
  const [largest] = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return largest === undefined ? null : { traceId: largest[0], rows: largest[1], share: largest[1] / sessions.length }
}
