import { secretLintProfiler } from '@secretlint/profiler'
import { canaries, residualScan } from '#server/stages/privacy/index.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { messagesOf, type DataRow } from '../curate/candidate.ts'
import { textOfMessage } from '../curate/text.ts'
import type { Piece } from './assemble.job.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'
import { createTokenCounter, type NamedTokenizer, type TokenSums } from './token-counter.ts'

/** A call of the scanner costs more than a short text. */
const TEXTS_AT_A_TIME = 64

export interface MeasureInput extends Piece {
  /** Key of the canaries, hex, and how many were planted. */
  key: string
  canaries: number
  tokenizer: NamedTokenizer | null
  maxTokens: number | null
}

export interface Measured {
  survivors: Awaited<ReturnType<typeof residualScan>>
  tokens: TokenSums
}

/** Reads some of the rows from the file: what a second, independent scanner finds in them, and their tokens. */
export default async function measure(input: MeasureInput, { signal }: Pick<JobContext, 'signal'>): Promise<Measured> {
  const counter = createTokenCounter(input.tokenizer, input.maxTokens)
  secretLintProfiler.setEnabled(false) // it keeps marks of every text without end, and measuring costs more than scanning
  function* texts() {
    let left = input.rows
    let some: string[] = []
    for (const { text } of readLines(input.file, input.from)) {
      if (left-- === 0) break
      signal.throwIfAborted()
      const row = JSON.parse(text) as DataRow // written by assemble
      counter.add(row)
      some.push(...messagesOf(row).map(textOfMessage), JSON.stringify(row.tools))
      if (some.length < TEXTS_AT_A_TIME) continue
      yield some.join('\n')
      some = []
    }
    yield some.join('\n')
  }
  const survivors = await residualScan(texts(), { canaries: canaries(Buffer.from(input.key, 'hex'), input.canaries) })
  return { survivors, tokens: counter.sums() }
}
