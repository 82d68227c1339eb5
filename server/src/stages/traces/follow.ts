import type { FollowerMaker } from '#server/stages/capture/index.ts'
import type { DeriveInput } from './derived.ts'
import { loadAnalysers } from './load-analysers.ts'
import { createReader } from './readers/create.ts'
import { RowPacker } from './slices.ts'

/** Reads a new session while it is archived, so that its bytes are not read twice. */
const follow: FollowerMaker<DeriveInput['analysers']> = async (uses) => {
  const analysers = await loadAnalysers(uses)
  return ({ agent, traceId, sessionId }) => {
    const reader = createReader(agent, { traceId, sessionId, analysers })
    return {
      feed: (source, offset, bytes) => reader.feed(source, offset, bytes),
      result: (transfer) => {
        const rows = new RowPacker(traceId)
        const output = reader.output(null, { rows, isLast: true })
        return { ...output, packed: rows.finish(transfer) }
      },
    }
  }
}

export default follow
