import type { DatasetBuilt, DatasetRecipe } from '#contracts/entities/dataset.ts'
import { messagesOf, type DataRow } from '../curate/candidate.ts'
import { charsOf, charsPerToken, estimate } from '../examples/tokens.ts'
import { textOfMessage } from '../curate/text.ts'

/** Tokens of rows as they are trained: an estimate, because the base model's tokenizer is only at hand in the preview. */
export function createTokenCounter({ maxTokens }: Pick<DatasetRecipe, 'maxTokens'>) {
  let rows = 0
  let total = 0
  let max = 0
  let truncated = 0
  let tokenizer = ''
  return {
    add(row: DataRow): void {
      const messages = messagesOf(row)
      const chars = charsOf(messages) + (row.tools.length > 0 ? JSON.stringify(row.tools).length : 0)
      const tokens = estimate(chars, messages.length, charsPerToken(messages.map(textOfMessage).join('\n')))
      rows += 1
      total += tokens.count
      max = Math.max(max, tokens.count)
      tokenizer = tokens.tokenizer
      if (maxTokens !== undefined && tokens.count > maxTokens) truncated += 1
    },
    result: (): DatasetBuilt['tokens'] => (rows === 0 ? null : { total, max, truncated, exact: false, tokenizer }),
  }
}
