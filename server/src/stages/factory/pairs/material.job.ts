import { readOnlyOfThread } from '#server/db/thread.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { readMaterial } from './read.ts'
import type { Material, MaterialInput } from './types.ts'

export default function material(
  { database, archive, traceIds, options }: MaterialInput,
  { signal }: Pick<JobContext, 'signal'>,
): Material {
  const db = readOnlyOfThread(database)
  const result: Material = { tasks: [], pairs: [], dropped: [] }
  for (const traceId of traceIds) {
    signal.throwIfAborted()
    const ofSession = readMaterial(db, { archive, traceId, options })
    if (!ofSession) continue
    result.tasks.push(...ofSession.tasks)
    result.pairs.push(...ofSession.pairs)
    result.dropped.push(...ofSession.dropped)
  }
  return result
}
