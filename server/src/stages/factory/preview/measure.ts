import type { Change } from './adapt.ts'
import { encodePieces } from './ids.ts'
import { promptText, RenderError, renderRow, type MaskingMethod, type RenderedRow } from './render.ts'
import { conversationsOf, messagesOf, promptOf } from './rows.ts'
import { thinks } from './templates.ts'
import type { Encoder } from './tokenizer.ts'
import { type AnswerSizes, answerSizes, encodeConversation, sizesOf, type Turn } from './windows.ts'

export interface RowTokens {
  tokens: number
  /** Tokens that carry loss. */
  trained: number
}

/** How a template writes a row. */
export interface RowRendering {
  method: MaskingMethod | null
  changes: readonly Change[]
  thinks: boolean
}

/** Why a row cannot be trained on. `reason` is the same for rows with the same problem. */
export interface RowProblem {
  reason: string
  message: string
}

type Measurement<Size> = (Size & { rendering: RowRendering }) | RowProblem

/** Tokens of a row of any kind. Of several conversations (a preference, or one row per answer) the longest counts. */
export const measureRow = (encoder: Encoder, row: unknown): Measurement<RowTokens> =>
  orProblem(() => {
    const conversations = conversationsOf(row)
    if (conversations === null) throw new RenderError(NO_CONVERSATION)
    const thinking = thinks(messagesOf(row))
    let longest: (RowTokens & { rendering: RowRendering }) | null = null
    for (const { messages, tools } of conversations) {
      const written = renderRow(encoder.template(tools.length > 0), { messages, tools }, thinking)
      const size = { tokens: 0, trained: 0, rendering: renderingOf(written, thinking) }
      for (const parts of written.conversations) {
        const lengths = encodePieces(encoder, parts.map(({ text }) => text)).map(({ length }) => length) // prettier-ignore
        size.trained += lengths.reduce((sum, length, at) => sum + (parts[at]!.trained ? length : 0), 0)
        size.tokens = Math.max(size.tokens, sumOf(lengths))
      }
      if (longest === null || size.tokens > longest.tokens) longest = size
    }
    return longest!
  })

/** The turns or answers of a conversation, which determine its rows at any length. */
export const measureTurns = (encoder: Encoder, row: unknown): Measurement<RowTokens & { turns: Turn[]; answers: AnswerSizes[] }> =>
  orProblem(() => {
    const [conversation] = conversationsOf(row) ?? []
    if (!conversation) throw new RenderError(NO_CONVERSATION)
    const encoded = encodeConversation(encoder, conversation)
    const [turns, answers] = [sizesOf(encoded.turns), answerSizes(encoded.answers)]
    const turnTokens = sumOf(turns.map(({ before, answer }) => before + answer))
    return {
      tokens: Math.max(turnTokens, ...answers.map(({ rows }) => rows[0]!)),
      trained: sumOf([...turns.filter(({ trained }) => trained), ...answers].map(({ answer }) => answer)),
      turns,
      answers,
      rendering: renderingOf(encoded.rendered, thinks(conversation.messages)),
    }
  })

/** Tokens of a row's prompt, including the generation prompt. */
export const measurePrompt = (encoder: Encoder, row: unknown): Measurement<RowTokens> =>
  orProblem(() => {
    const prompt = promptOf(row)
    if (prompt === null) throw new RenderError(NO_CONVERSATION)
    const thinking = thinks(messagesOf(row))
    const { length } = encoder.encode(promptText(encoder.template(prompt.tools.length > 0), prompt, thinking))
    return { tokens: length, trained: 0, rendering: { method: null, changes: [], thinks: thinking } }
  })

const renderingOf = ({ method, changes }: RenderedRow, isThinking: boolean): RowRendering => ({ method, changes, thinks: isThinking })
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const NO_CONVERSATION = 'The row has no messages and no prompt that can be read.'

function orProblem<Size>(measure: () => Size & { rendering: RowRendering }): Measurement<Size> {
  try {
    return measure()
  } catch (error) {
    if (error instanceof RenderError) return { reason: error.reason, message: error.message }
    throw error
  }
}
