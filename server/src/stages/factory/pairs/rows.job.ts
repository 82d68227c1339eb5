import type { ExampleOptions, PreferenceRow } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { rowOf } from './read.ts'
import type { FoundPair } from './types.ts'

export interface PairRowInput {
  database: string
  archive: string
  pair: FoundPair
  options: ExampleOptions
}

/** The messages of one pair, uncleared; null when one of its sides is gone. */
export default function row({ database, archive, pair, options }: PairRowInput): PreferenceRow | null {
  return rowOf(readOnlyOfThread(database), archive, pair, options)
}
