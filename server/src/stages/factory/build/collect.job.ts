import type { DroppedRow } from '#contracts/entities/dataset.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { RowReader } from '../curate/candidate.ts'
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
  dropped: DroppedRow[]
}

/** One piece of a source, made into rows and written down; what was left out comes back with its reason. */
export default async function collect(input: CollectInput, { signal }: Pick<JobContext, 'signal'>): Promise<Collected> {
  const { reader } = (await import(input.module)) as { reader: RowReader }
  const output: Collected = { rows: 0, segments: 0, made: 0, dropped: [] }
  const file = createLineFile(input.file)
  try {
    for (const sourced of reader.rows(input.piece, { database: input.database, archive: input.archive })) {
      signal.throwIfAborted()
      if (sourced.kind === 'row') file.write(sourced.candidate)
      else if (sourced.kind === 'dropped') output.dropped.push(sourced.dropped)
      else {
        output.segments += sourced.segments
        output.made += sourced.made
      }
    }
    output.rows = file.close().rows
    return output
  } catch (error) {
    file.abandon()
    throw error
  }
}
