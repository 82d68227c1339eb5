import type { DroppedRow } from '#contracts/entities/dataset.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { RowReader, PartCounts } from '../curate/candidate.ts'
import { createLineFile } from './lines.ts'

export interface CollectInput {
  /** URL of a module that exports `reader: RowReader`. */
  module: string
  piece: unknown
  database: string
  archive: string
  /** The output: one `Candidate` per line. */
  file: string
}

export interface Collected {
  rows: number
  segments: number
  candidateCount: number
  split: PartCounts
  dropped: DroppedRow[]
}

/** Writes the rows of one piece of a source into a file, and returns what was dropped with its reason. */
export default async function collect(input: CollectInput, { signal }: Pick<JobContext, 'signal'>): Promise<Collected> {
  const { reader } = (await import(input.module)) as { reader: RowReader }
  const output: Collected = { rows: 0, segments: 0, candidateCount: 0, split: { splitSegments: 0, parts: 0, variants: 0 }, dropped: [] }
  const file = createLineFile(input.file)
  try {
    for (const item of reader.rows(input.piece, { database: input.database, archive: input.archive })) {
      signal.throwIfAborted()
      if (item.kind === 'row') file.write(item.candidate)
      else if (item.kind === 'dropped') output.dropped.push(item.dropped)
      else {
        output.segments += item.segments
        output.candidateCount += item.candidateCount
        for (const key of ['splitSegments', 'parts', 'variants'] as const) output.split[key] += item.split?.[key] ?? 0
      }
    }
    output.rows = file.close().rows
    return output
  } catch (error) {
    file.abandon()
    throw error
  }
}
