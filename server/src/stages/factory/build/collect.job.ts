import type { DroppedRow } from '#contracts/entities/dataset.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { RowReader, Split } from '../curate/candidate.ts'
import { createLineFile } from './lines.ts'

export interface CollectInput {
  /** Address of a module that exports `reader: RowReader`. */
  module: string
  piece: unknown
  database: string
  archive: string
  /** Written: a `Candidate` a line. */
  file: string
}

export interface Collected {
  rows: number
  segments: number
  made: number
  split: Split
  dropped: DroppedRow[]
}

/** One piece of a source, made into rows and written down; what was left out comes back with its reason. */
export default async function collect(input: CollectInput, { signal }: Pick<JobContext, 'signal'>): Promise<Collected> {
  const { reader } = (await import(input.module)) as { reader: RowReader }
  const output: Collected = { rows: 0, segments: 0, made: 0, split: { splitSegments: 0, parts: 0, variants: 0 }, dropped: [] }
  const file = createLineFile(input.file)
  try {
    for (const sourced of reader.rows(input.piece, { database: input.database, archive: input.archive })) {
      signal.throwIfAborted()
      if (sourced.kind === 'row') file.write(sourced.candidate)
      else if (sourced.kind === 'dropped') output.dropped.push(sourced.dropped)
      else {
        output.segments += sourced.segments
        output.made += sourced.made
        for (const key of ['splitSegments', 'parts', 'variants'] as const) output.split[key] += sourced.split?.[key] ?? 0
      }
    }
    output.rows = file.close().rows
    return output
  } catch (error) {
    file.abandon()
    throw error
  }
}
