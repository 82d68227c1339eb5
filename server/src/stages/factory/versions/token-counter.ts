import type { DatasetBuilt } from '#contracts/entities/dataset.ts'
import { messagesOf, type DataRow } from '../curate/candidate.ts'
import { textOfMessage } from '../curate/text.ts'
import { charsOf, charsPerToken, estimate } from '../examples/tokens.ts'
import { encoderOf } from '../preview/encoder.ts'
import { measureRow } from '../preview/measure.ts'

export interface NamedTokenizer {
  folder: string
  /** The base model's name in the recipe. */
  name: string
}

interface Sum {
  rows: number
  total: number
  max: number
  truncated: number
}

/** Tokens of some rows of a version. A preference counts as its longer conversation. */
export interface TokenSums {
  rows: number
  estimated: Sum
  /** With the base model's tokenizer and template; null without one. */
  exact: (Sum & { refused: number }) | null
}

const NONE: Sum = { rows: 0, total: 0, max: 0, truncated: 0 }

/** Rows longer than `maxTokens` are counted as truncated. For workers. */
export function createTokenCounter(tokenizer: NamedTokenizer | null, maxTokens: number | null) {
  const encoder = tokenizer && encoderOf(tokenizer.folder)
  const estimated = { ...NONE }
  const exact = { ...NONE, refused: 0 }
  let rows = 0
  const add = (sum: Sum, tokens: number) => {
    sum.rows += 1
    sum.total += tokens
    sum.max = Math.max(sum.max, tokens)
    if (maxTokens !== null && tokens > maxTokens) sum.truncated += 1
  }
  return {
    add(row: DataRow): void {
      rows += 1
      add(estimated, estimateOf(row))
      if (!encoder) return
      const measured = measureRow(encoder, row)
      if ('reason' in measured) exact.refused += 1
      else add(exact, measured.tokens)
    },
    sums: (): TokenSums => ({ rows, estimated, exact: encoder && exact }),
  }
}

function estimateOf(row: DataRow): number {
  const tools = row.tools.length > 0 ? JSON.stringify(row.tools).length : 0
  const { prompt } = row as { prompt?: ReturnType<typeof messagesOf> }
  const sides =
    'chosen' in row && prompt ? [row.chosen, row.rejected].map((side) => [...prompt, ...(side as typeof prompt)]) : [messagesOf(row)]
  const counts = sides.map((side) => estimate(charsOf(side) + tools, side.length, charsPerToken(side.map(textOfMessage).join('\n'))).count)
  return Math.max(...counts)
}

/** Totals of the whole version; an estimate if there is no tokenizer or its template refused every row. */
export function tokensOf(parts: readonly TokenSums[], tokenizer: NamedTokenizer | null): DatasetBuilt['tokens'] {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  if (rows === 0) return null
  const totals = (sums: readonly Sum[]) => ({
    total: sums.reduce((sum, { total }) => sum + total, 0),
    max: Math.max(...sums.map(({ max }) => max)),
    truncated: sums.reduce((sum, { truncated }) => sum + truncated, 0),
  })
  const exact = parts.flatMap((part) => part.exact ?? [])
  const refused = exact.reduce((sum, part) => sum + part.refused, 0)
  if (tokenizer && refused < rows) return { ...totals(exact), exact: true, tokenizer: tokenizer.name, refused }
  return { ...totals(parts.map(({ estimated }) => estimated)), exact: false, tokenizer: 'estimate (o200k)', refused }
}
