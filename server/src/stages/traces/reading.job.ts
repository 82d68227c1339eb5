import type { TranscriptItem } from '#contracts/entities/step.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { SessionReader } from './types.ts'
import { readWhole } from './whole.ts'

export interface ReadingInput {
  database: string
  archive: string
  traceId: string
  /** Address of a module that exports `reader: SessionReader`. */
  module: string
  options: unknown
}

export interface Reading {
  rev: number
  result: unknown
}

/** Gives a whole session to a reader of another stage in this thread. Null if the trace does not exist. */
export default async function reading(
  { database, archive, traceId, module, options }: ReadingInput,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<Reading | null> {
  const { reader } = (await import(module)) as { reader: SessionReader }
  const db = readOnlyOfThread(database)
  const rev = readWhole(db, archive, traceId)?.rev
  if (rev === undefined) return null
  function* items(): Generator<TranscriptItem> {
    for (const batch of readWhole(db, archive, traceId)?.items ?? []) {
      signal.throwIfAborted()
      yield* batch
    }
  }
  return { rev, result: reader.read(items, options) }
}
