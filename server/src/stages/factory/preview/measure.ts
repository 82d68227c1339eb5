import type { Change } from './adapt.ts'
import { encodePieces } from './ids.ts'
import { promptText, RenderError, write, type Means } from './render.ts'
import { conversationsOf, messagesOf, promptOf } from './rows.ts'
import { thinks } from './templates.ts'
import type { Encoder } from './tokenizer.ts'
import { type AnswerSizes, answerSizes, encodeConversation, sizesOf, type Turn } from './windows.ts'

export interface RowTokens {
  tokens: number
  /** Those that carry loss. */
  trained: number
}

/** How a template writes a row. */
export interface Way {
  means: Means | null
  changes: readonly Change[]
  thinks: boolean
}

/** Why a row cannot be trained on. `reason` is the same for rows that fail alike. */
export interface Unwritten {
  reason: string
  message: string
}

type Measured<Size> = (Size & { way: Way }) | Unwritten

/** Tokens of a row of any kind; of a preference the longer side counts, of one that becomes a row an answer the longest. */
export const measureRow = (encoder: Encoder, row: unknown): Measured<RowTokens> =>
  orRefusal(() => {
    const conversations = conversationsOf(row)
    if (conversations === null) throw new RenderError(NEITHER)
    const thinking = thinks(messagesOf(row))
    let longest: (RowTokens & { way: Way }) | null = null
    for (const { messages, tools } of conversations) {
      const written = write(encoder.template(tools.length > 0), { messages, tools }, thinking)
      const size = { tokens: 0, trained: 0, way: wayOf(written, thinking) }
      for (const parts of written.conversations) {
        const lengths = encodePieces(encoder, parts.map(({ text }) => text)).map(({ length }) => length) // prettier-ignore
        size.trained += lengths.reduce((sum, length, at) => sum + (parts[at]!.trained ? length : 0), 0)
        size.tokens = Math.max(size.tokens, sumOf(lengths))
      }
      if (longest === null || size.tokens > longest.tokens) longest = size
    }
    return longest!
  })

/** The turns of a conversation, or its answers, from which its rows at any length follow. A row that cannot be trained on: why. */
export const measureTurns = (encoder: Encoder, row: unknown): Measured<RowTokens & { turns: Turn[]; answers: AnswerSizes[] }> =>
  orRefusal(() => {
    const [conversation] = conversationsOf(row) ?? []
    if (!conversation) throw new RenderError(NEITHER)
    const encoded = encodeConversation(encoder, conversation)
    const [turns, answers] = [sizesOf(encoded.turns), answerSizes(encoded.answers)]
    const whole = sumOf(turns.map(({ before, answer }) => before + answer))
    return {
      tokens: Math.max(whole, ...answers.map(({ rows }) => rows[0]!)),
      trained: sumOf([...turns.filter(({ trained }) => trained), ...answers].map(({ answer }) => answer)),
      turns,
      answers,
      way: wayOf(encoded.written, thinks(conversation.messages)),
    }
  })

/** Tokens of what a row asks, as a model that answers by itself is given it. A row that it cannot be asked: why. */
export const measurePrompt = (encoder: Encoder, row: unknown): Measured<RowTokens> =>
  orRefusal(() => {
    const prompt = promptOf(row)
    if (prompt === null) throw new RenderError(NEITHER)
    const thinking = thinks(messagesOf(row))
    const { length } = encoder.encode(promptText(encoder.template(prompt.tools.length > 0), prompt, thinking))
    return { tokens: length, trained: 0, way: { means: null, changes: [], thinks: thinking } }
  })

const wayOf = ({ means, changes }: Pick<ReturnType<typeof write>, 'means' | 'changes'>, thinking: boolean): Way => ({
  means,
  changes,
  thinks: thinking,
})
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const NEITHER = 'The row has neither messages nor a prompt.'

function orRefusal<Size>(measure: () => Size & { way: Way }): Measured<Size> {
  try {
    return measure()
  } catch (error) {
    if (error instanceof RenderError) return { reason: error.reason, message: error.message }
    throw error
  }
}
