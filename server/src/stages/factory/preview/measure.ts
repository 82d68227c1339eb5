import { pieces, RenderError } from './render.ts'
import { conversationsOf } from './rows.ts'
import type { Encoder } from './tokenizer.ts'

export interface RowTokens {
  tokens: number
  /** Those that carry loss. */
  trained: number
}

/** Tokens of a row of any kind; of a preference the longer side counts. A row that cannot be trained on: why. */
export function measureRow(encoder: Encoder, row: unknown): RowTokens | string {
  try {
    const conversations = conversationsOf(row)
    if (conversations === null) return 'The row has neither messages nor a prompt.'
    let longest = { tokens: 0, trained: 0 }
    for (const { messages, tools } of conversations) {
      const size = { tokens: 0, trained: 0 }
      for (const piece of pieces(encoder.template(tools.length > 0), { messages, tools })) {
        const { length } = encoder.encode(piece.text)
        size.tokens += length
        if (piece.trained) size.trained += length
      }
      if (size.tokens > longest.tokens) longest = size
    }
    return longest
  } catch (error) {
    if (error instanceof RenderError) return error.message
    throw error
  }
}
