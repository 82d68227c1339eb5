import type { ExampleOptions } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { openGate, type GateInput } from '#server/stages/privacy/index.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { wordsOf } from './read.ts'
import type { FoundPair } from './types.ts'
import { clearWords, type PairWords } from './words.ts'

export interface WordsInput {
  database: string
  archive: string
  pairs: { pair: FoundPair; options: ExampleOptions }[]
  gate: GateInput
}
export type WordsOutput = ({ id: string } & PairWords)[]

/** The words of stored pairs under another policy. Where a session is gone, what is left of them is cleared once more. */
export default function words({ database, archive, pairs, gate: input }: WordsInput, { signal }: Pick<JobContext, 'signal'>): WordsOutput {
  const db = readOnlyOfThread(database)
  const gate = openGate(input)
  return pairs.map(({ pair, options }) => {
    signal.throwIfAborted()
    return { id: pair.id, ...clearWords(gate, pair, wordsOf(db, archive, pair, options) ?? pair) }
  })
}
