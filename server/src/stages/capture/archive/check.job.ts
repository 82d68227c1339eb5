import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JobContext } from '#server/workers/thread.ts'
import { damageIn } from './damage.ts'

/** A trace with damaged bytes in the archive. */
export interface DamagedTrace {
  traceId: string
  sessionId: string
  /** One sentence each. */
  damage: string[]
}

/** Reads all archived bytes of some traces; progress is the number of traces read. */
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
