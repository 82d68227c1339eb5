import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JobContext } from '#server/workers/thread.ts'
import { damageIn } from './damage.ts'

/** A trace with a damaged archive, and what is wrong, one sentence each. */
export interface DamagedTrace {
  traceId: string
  sessionId: string
  damage: string[]
}

/** Reads every byte of the archive of some traces; progress is the number done. */
export default async function check(
  { traces }: { traces: { traceId: string; sessionId: string; traceDir: string }[] },
  { signal, progress }: JobContext,
): Promise<DamagedTrace[]> {
  const damaged: DamagedTrace[] = []
  for (const [index, { traceId, sessionId, traceDir }] of traces.entries()) {
    await nextTurn() // a cancellation takes effect here
    signal.throwIfAborted()
    const damage = damageIn(traceDir)
    if (damage.length > 0) damaged.push({ traceId, sessionId, damage })
    progress(index + 1)
  }
  return damaged
}
