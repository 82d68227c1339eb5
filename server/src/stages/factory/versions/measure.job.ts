import { secretLintProfiler } from '@secretlint/profiler'
import { canaries, residualScan } from '#server/stages/privacy/index.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { messagesOf, type DataRow } from '../curate/candidate.ts'
import { textOfMessage } from '../curate/text.ts'
import type { Piece } from './assemble.job.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'
import { createTokenCounter, type NamedTokenizer, type TokenSums } from './token-counter.ts'

/** Batches, because a call of the scanner costs more than scanning a short text. */
const TEXTS_AT_A_TIME = 64

export interface MeasureInput extends Piece {
  /** Key of the canaries, in hex. */
  key: string
  /** The number of planted canaries. */
  canaries: number
  tokenizer: NamedTokenizer | null
  maxTokens: number | null
}

export interface Measured {
  survivors: Awaited<ReturnType<typeof residualScan>>
  tokens: TokenSums
}

/** Runs a second, independent scanner over some written rows, and counts their tokens. */
export default async function measure(input: MeasureInput, { signal }: Pick<JobContext, 'signal'>): Promise<Measured> {
  const counter = createTokenCounter(input.tokenizer, input.maxTokens)
  secretLintProfiler.setEnabled(false) // it stores marks for every text forever, and takes longer than the scan
  function* texts() {
    let remaining = input.rows
    let batch: string[] = []
    for (const { text } of readLines(input.file, input.from)) {
      if (remaining-- === 0) break
      signal.throwIfAborted()
      const row = JSON.parse(text) as DataRow // written by assemble
      counter.add(row)
      batch.push(...messagesOf(row).map(textOfMessage), JSON.stringify(row.tools))
      if (batch.length < TEXTS_AT_A_TIME) continue
      yield batch.join('\n')
      batch = []
    }
    yield batch.join('\n')
  }
  const survivors = await residualScan(texts(), { canaries: canaries(Buffer.from(input.key, 'hex'), input.canaries) })
  return { survivors, tokens: counter.sums() }
}
