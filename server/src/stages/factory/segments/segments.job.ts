import type { Segment } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { readWhole } from '#server/stages/traces/index.ts'
import { isOneResponse } from './cut.ts'
import { readCuts, toSegments } from './read.ts'

export interface SegmentsInput {
  database: string
  archive: string
  traceId: string
  gapMinutes: number
}

export interface SegmentsOutput {
  items: Segment[]
  /** Steps in the same response as the previous step; no boundary may precede them. */
  together: string[]
}

/** Segments of a session. Null if there is no such trace. */
export default function segments(input: SegmentsInput): SegmentsOutput | null {
  const db = readOnlyOfThread(input.database)
  return db.transaction(() => {
    const read = readCuts(db, input.archive, input.traceId, input)
    if (!read) return null
    const prompts = new Map<string, string>()
    const kinds = ['prompt', 'notice', 'compaction'] as const
    for (const items of readWhole(db, input.archive, input.traceId, { main: true, kinds })?.items ?? []) {
      for (const item of items) if (item.kind === 'prompt' || (item.kind !== 'step' && item.asks !== null)) prompts.set(item.id, item.text)
    }
    const steps = read.cuts.flatMap((cut) => cut.steps)
    const together = steps.filter((step, index) => index > 0 && isOneResponse(steps[index - 1]!, step)).map(({ id }) => id)
    return { items: toSegments(input.traceId, read.cuts, prompts), together }
  })()
}
