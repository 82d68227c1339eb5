import type { Segment } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { readWhole } from '#server/stages/traces/index.ts'
import { readCuts, toSegments } from './read.ts'

export interface SegmentsInput {
  database: string
  archive: string
  traceId: string
  gapMinutes: number
}

/** Segments of a session; of bodies only the prompts are read. Null when there is no such trace. */
export default function segments(input: SegmentsInput): Segment[] | null {
  const db = readOnlyOfThread(input.database)
  return db.transaction(() => {
    const read = readCuts(db, input.archive, input.traceId, input)
    if (!read) return null
    const prompts = new Map<string, string>()
    for (const items of readWhole(db, input.archive, input.traceId, { main: true, kinds: ['prompt'] })?.items ?? []) {
      for (const item of items) if (item.kind === 'prompt') prompts.set(item.id, item.text)
    }
    return toSegments(input.traceId, read.cuts, prompts)
  })()
}
