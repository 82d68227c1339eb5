import type { LengthReport } from '#contracts/entities/preview.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'
import { encoderOf } from './encoder.ts'
import { measureRow } from './measure.ts'
import type { Encoder } from './tokenizer.ts'

export interface LengthsInput {
  tokenizer: string | null
  /** Overrides the tokenizer's chat template. */
  template?: string | null
  /** JSONL files, in order. */
  files: string[]
  maxTokens: number | null
}

const BINS = 40
const REPORT_EVERY = 200

/** Lengths of all rows; of a preference the longer side counts. */
export default function lengths(input: LengthsInput, { signal, progress }: JobContext): LengthReport {
  const encoder = encoderOf(input.tokenizer, input.template)
  const lengthsOfRows: number[] = []
  const refused = new Map<string, { rows: number; firstRow: number }>()
  let trained = 0
  let row = 0
  for (const file of input.files) {
    for (const { text: line } of readLines(file)) {
      signal.throwIfAborted()
      if (line.trim() === '') continue
      const measured = measure(encoder, line)
      if ('reason' in measured) {
        const earlier = refused.get(measured.reason)
        refused.set(measured.reason, { rows: (earlier?.rows ?? 0) + 1, firstRow: earlier?.firstRow ?? row })
      } else {
        lengthsOfRows.push(measured.tokens)
        trained += measured.trained
      }
      row += 1
      if (row % REPORT_EVERY === 0) progress(row)
    }
  }
  return {
    ...report(lengthsOfRows, input.maxTokens),
    tokenizer: encoder.name,
    exact: encoder.exact,
    rows: row,
    trained,
    refused: refusals(refused),
  }
}

function measure(encoder: Encoder, line: string): ReturnType<typeof measureRow> {
  try {
    return measureRow(encoder, JSON.parse(line))
  } catch (error) {
    const reason = 'The row is not valid JSON.'
    if (error instanceof SyntaxError) return { reason, message: reason }
    throw error
  }
}

const refusals = (refused: Map<string, { rows: number; firstRow: number }>) =>
  [...refused].map(([reason, counts]) => ({ reason, ...counts })).toSorted((a, b) => b.rows - a.rows)

/** Bins of equal width up to the longest row; the width is 1, 2 or 5 times a power of ten. */
function report(lengthsOfRows: number[], maxTokens: number | null) {
  const sorted = lengthsOfRows.toSorted((a, b) => a - b)
  const percentile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  const max = sorted.at(-1) ?? 0
  const width = niceWidth(max / BINS)
  const bins = Array.from({ length: sorted.length === 0 ? 0 : Math.floor(max / width) + 1 }, (_, index) => ({
    from: index * width,
    rows: 0,
  }))
  for (const tokens of sorted) bins[Math.floor(tokens / width)]!.rows += 1
  return {
    width,
    bins,
    total: sorted.reduce((sum, tokens) => sum + tokens, 0),
    p50: percentile(0.5),
    p90: percentile(0.9),
    p99: percentile(0.99),
    max,
    maxTokens,
    truncated: maxTokens === null ? null : sorted.filter((tokens) => tokens > maxTokens).length,
  }
}

function niceWidth(atLeast: number): number {
  for (let power = 1; ; power *= 10) for (const step of [1, 2, 5]) if (step * power >= atLeast) return step * power
}
