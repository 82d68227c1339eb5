import { readOnlyOfThread } from '#server/db/thread.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { readMaterial } from './read.ts'
import type { Material, MaterialInput } from './types.ts'

/** What some sessions have for pairs. */
export default function material(
  { database, archive, traceIds, options }: MaterialInput,
  { signal }: Pick<JobContext, 'signal'>,
): Material {
  const db = readOnlyOfThread(database)
  const all: Material = { tasks: [], pairs: [], left: [] }
  for (const traceId of traceIds) {
    signal.throwIfAborted()
    const one = readMaterial(db, { archive, traceId, options })
    if (!one) continue
    all.tasks.push(...one.tasks)
    all.pairs.push(...one.pairs)
    all.left.push(...one.left)
  }
  return all
}
