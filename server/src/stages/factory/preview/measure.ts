import { pieces, promptText, RenderError } from './render.ts'
import { conversationsOf, promptOf } from './rows.ts'
import type { Encoder } from './tokenizer.ts'

export interface RowTokens {
  tokens: number
  /** Those that carry loss. */
  trained: number
  /** Where those lie: first token and the one behind the last, one pair after the other. */
  spans: number[]
}

/** Tokens that carry loss in a row that is cut off at `limit`. */
export function trainedWithin(spans: readonly number[], limit: number): number {
  let sum = 0
  for (let at = 0; at < spans.length && spans[at]! < limit; at += 2) sum += Math.min(spans[at + 1]!, limit) - spans[at]!
  return sum
}

/** Tokens of a row of any kind; of a preference the longer side counts. A row that cannot be trained on: why. */
export const measureRow = (encoder: Encoder, row: unknown): RowTokens | string =>
  orRefusal(() => {
    const conversations = conversationsOf(row)
    if (conversations === null) return 'The row has neither messages nor a prompt.'
    let longest: RowTokens = { tokens: 0, trained: 0, spans: [] }
    for (const { messages, tools } of conversations) {
      const size: RowTokens = { tokens: 0, trained: 0, spans: [] }
      for (const piece of pieces(encoder.template(tools.length > 0), { messages, tools })) {
        const { length } = encoder.encode(piece.text)
        if (piece.trained) {
          size.trained += length
          size.spans.push(size.tokens, size.tokens + length)
        }
        size.tokens += length
      }
      if (size.tokens > longest.tokens) longest = size
    }
    return longest
  })

/** Tokens of what a row asks, as a model that answers by itself is given it. A row that it cannot be asked: why. */
export const measurePrompt = (encoder: Encoder, row: unknown): RowTokens | string =>
  orRefusal(() => {
    const prompt = promptOf(row)
    if (prompt === null) return 'The row has neither messages nor a prompt.'
    const { length } = encoder.encode(promptText(encoder.template(prompt.tools.length > 0), prompt))
    return { tokens: length, trained: 0, spans: [] }
  })

function orRefusal(measure: () => RowTokens | string): RowTokens | string {
  try {
    return measure()
  } catch (error) {
    if (error instanceof RenderError) return error.message
    throw error
  }
}
