import { pieces, promptText, RenderError } from './render.ts'
import { conversationsOf, promptOf } from './rows.ts'
import type { Encoder } from './tokenizer.ts'
import { encodedTurns, sizesOf, type Turn } from './windows.ts'

export interface RowTokens {
  tokens: number
  /** Those that carry loss. */
  trained: number
}

/** Tokens of a row of any kind; of a preference the longer side counts. A row that cannot be trained on: why. */
export const measureRow = (encoder: Encoder, row: unknown): RowTokens | string =>
  orRefusal(() => {
    const conversations = conversationsOf(row)
    if (conversations === null) return NEITHER
    let longest: RowTokens = { tokens: 0, trained: 0 }
    for (const { messages, tools } of conversations) {
      const size: RowTokens = { tokens: 0, trained: 0 }
      for (const piece of pieces(encoder.template(tools.length > 0), { messages, tools })) {
        const { length } = encoder.encode(piece.text)
        if (piece.trained) size.trained += length
        size.tokens += length
      }
      if (size.tokens > longest.tokens) longest = size
    }
    return longest
  })

/** The turns of a conversation, from which its rows at any length follow. A row that cannot be trained on: why. */
export const measureTurns = (encoder: Encoder, row: unknown): (RowTokens & { turns: Turn[] }) | string =>
  orRefusal(() => {
    const [conversation] = conversationsOf(row) ?? []
    if (!conversation) return NEITHER
    const turns = sizesOf(encodedTurns(encoder, conversation))
    return {
      tokens: turns.reduce((sum, { before, answer }) => sum + before + answer, 0),
      trained: turns.reduce((sum, { answer, trained }) => sum + (trained ? answer : 0), 0),
      turns,
    }
  })

/** Tokens of what a row asks, as a model that answers by itself is given it. A row that it cannot be asked: why. */
export const measurePrompt = (encoder: Encoder, row: unknown): RowTokens | string =>
  orRefusal(() => {
    const prompt = promptOf(row)
    if (prompt === null) return NEITHER
    const { length } = encoder.encode(promptText(encoder.template(prompt.tools.length > 0), prompt))
    return { tokens: length, trained: 0 }
  })

const NEITHER = 'The row has neither messages nor a prompt.'

function orRefusal<Measured>(measure: () => Measured | string): Measured | string {
  try {
    return measure()
  } catch (error) {
    if (error instanceof RenderError) return error.message
    throw error
  }
}
