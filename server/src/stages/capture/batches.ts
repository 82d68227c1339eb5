import type { FoundSession } from './discover.ts'

/** Limits of a batch, in raw bytes and sessions; the first batch is small, so that rows appear at once. */
const BATCH_BYTES = 8 << 20
const BATCH_SESSIONS = 32
const FIRST_SESSIONS = 2

/** Larger sessions are read one at a time: reading a session takes about three quarters of its size in memory. */
const LARGE_BYTES = 64 << 20

export const isLarge = ({ newBytes }: Pick<FoundSession, 'newBytes'>): boolean => newBytes > LARGE_BYTES

/** Newest first, but small ones first among the newest, so that the first rows appear quickly. Large ones come last. */
export function importOrder(sessions: FoundSession[]): FoundSession[] {
  const newestFirst = byAge(sessions.filter((session) => !isLarge(session)))
  const front = newestFirst.slice(0, 200).toSorted((a, b) => a.newBytes - b.newBytes)
  const first = new Set(front.slice(0, BATCH_SESSIONS))
  return [...first, ...newestFirst.filter((session) => !first.has(session)), ...byAge(sessions.filter(isLarge))]
}

const byAge = (sessions: FoundSession[]) => sessions.toSorted((a, b) => b.mtimeMs - a.mtimeMs)

export function batchesOf(sessions: FoundSession[]): FoundSession[][] {
  const batches: FoundSession[][] = []
  let batch: FoundSession[] = []
  let bytes = 0
  for (const session of sessions) {
    const limit = batches.length === 0 ? FIRST_SESSIONS : BATCH_SESSIONS
    if (batch.length > 0 && (batch.length >= limit || bytes + session.newBytes > BATCH_BYTES)) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(session)
    bytes += session.newBytes
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
