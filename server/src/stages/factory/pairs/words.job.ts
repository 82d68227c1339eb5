import type { ExampleOptions } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { openGate, type GateInput } from '#server/stages/privacy/index.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { readWords } from './read.ts'
import type { FoundPair } from './types.ts'
import { clearWords, type PairWords } from './words.ts'

export interface WordsInput {
  database: string
  archive: string
  pairs: { pair: FoundPair; options: ExampleOptions }[]
  gate: GateInput
}
export type WordsOutput = ({ id: string } & PairWords)[]

/** The words of stored pairs under another policy; if a session is missing, clears the stored words again. */
export default function words({ database, archive, pairs, gate: input }: WordsInput, { signal }: Pick<JobContext, 'signal'>): WordsOutput {
  const db = readOnlyOfThread(database)
  const gate = openGate(input)
  return pairs.map(({ pair, options }) => {
    signal.throwIfAborted()
    return { id: pair.id, ...clearWords(gate, pair, readWords(db, archive, pair, options) ?? pair) }
  })
}
