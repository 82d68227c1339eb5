import { callsOf } from '../curate/candidate.ts'
import type { Change } from './adapt.ts'
import { encodePieces } from './ids.ts'
import { promptText, RenderError, renderRow, type MaskingMethod, type RenderedRow } from './render.ts'
import { type Conversation, conversationsOf, messagesOf, promptOf, unknownRole } from './rows.ts'
import { thinks } from './templates.ts'
import type { Encoder } from './tokenizer.ts'
import { type AnswerSizes, answerSizes, encodeConversation, fewerTools, sizesOf, type Turn } from './windows.ts'

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
    if (conversations === null) throw new RenderError(noConversation(row))
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

/** What determines the rows that a row becomes at any length. */
export type RowSizes =
  | { kind: 'turns'; turns: Turn[] }
  | { kind: 'answers'; answers: AnswerSizes[] }
  /** A preference: its sides, which begin to differ at the turn `lossStart`. */
  | { kind: 'pair'; sides: Turn[][]; lossStart: number }
  /** A preference for a template with one answer in a row: tokens of its sides with less and less context, and of their answers. */
  | { kind: 'decision'; variants: number[][]; answers: number[]; answerCount: number }

/** The sizes of a row that is split between turns; `fewer`: with the tools that short rows offer, null if those are all. */
export const measureSizes = (encoder: Encoder, row: unknown): Measurement<RowTokens & { sizes: RowSizes; fewer: RowSizes | null }> =>
  orProblem(() => {
    const conversations = conversationsOf(row)
    if (conversations === null) throw new RenderError(noConversation(row))
    const fewer = fewerTools(messagesOf(row), conversations[0]!.tools)
    return {
      ...sizesOfRow(encoder, row, conversations),
      fewer: fewer && sizesOfRow(encoder, row, conversations.map((one) => ({ ...one, tools: fewer }))).sizes, // prettier-ignore
    }
  })

function sizesOfRow(encoder: Encoder, row: unknown, conversations: readonly Conversation[]) {
  const thinking = thinks(messagesOf(row))
  const encoded = conversations.map((one) => encodeConversation(encoder, one, thinking))
  const sides = encoded.map((side) => ({ turns: sizesOf(side.turns), answers: answerSizes(side.answers) }))
  const [first] = encoded
  return {
    tokens: Math.max(...sides.map(({ turns, answers }) => Math.max(wholeOf(turns), ...answers.map(({ rows }) => rows[0]!)))),
    trained: sumOf(sides.flatMap(({ turns, answers }) => [...turns.filter(({ trained }) => trained), ...answers].map(({ answer }) => answer))), // prettier-ignore
    sizes: conversations.length === 1 ? singleSizes(sides[0]!) : pairSizes(sides, promptAnswers(row, first!.rendered)),
    rendering: renderingOf(first!.rendered, thinking),
  }
}

type Side = { turns: Turn[]; answers: AnswerSizes[] }
const wholeOf = (turns: readonly Turn[]) => sumOf(turns.map(({ before, answer }) => before + answer))
const singleSizes = ({ turns, answers }: Side): RowSizes => (answers.length > 0 ? { kind: 'answers', answers } : { kind: 'turns', turns })

function pairSizes(sides: readonly Side[], lossStart: number): RowSizes {
  if (sides.every(({ answers }) => answers.length === 0)) return { kind: 'pair', sides: sides.map(({ turns }) => turns), lossStart }
  const firsts = sides.map(({ turns, answers }) => answers[0] ?? answerOf(turns, lossStart))
  const variantCount = Math.min(...firsts.map(({ rows }) => rows.length))
  return {
    kind: 'decision',
    variants: Array.from({ length: variantCount }, (_, at) => firsts.map(({ rows }) => rows[at]!)),
    answers: firsts.map(({ answer }) => answer),
    answerCount: sumOf(sides.map(({ turns, answers }) => answers.length + turns.filter(({ trained }) => trained).length)),
  }
}

/** A turn as an answer with a row of its own. */
function answerOf(turns: readonly Turn[], at: number): AnswerSizes {
  const { head, before, answer } = turns[at]!
  return { answer, rows: [wholeOf(turns.slice(0, at)) + before + answer, head + answer] }
}

/** Number of answers in the prompt of a row, as it was rendered. */
const promptAnswers = (row: unknown, { changes }: RenderedRow): number =>
  sumOf((promptOf(row)?.messages ?? []).map((message) => (message.role !== 'assistant' ? 0 : changes.includes('calls') ? Math.max(1, callsOf(message).length) : 1))) // prettier-ignore

/** Tokens of a row's prompt, including the generation prompt. */
export const measurePrompt = (encoder: Encoder, row: unknown): Measurement<RowTokens> =>
  orProblem(() => {
    const prompt = promptOf(row)
    if (prompt === null) throw new RenderError(noConversation(row))
    const thinking = thinks(messagesOf(row))
    const { length } = encoder.encode(promptText(encoder.template(prompt.tools.length > 0), prompt, thinking))
    return { tokens: length, trained: 0, rendering: { method: null, changes: [], thinks: thinking } }
  })

const renderingOf = ({ method, changes }: RenderedRow, isThinking: boolean): RowRendering => ({ method, changes, thinks: isThinking })
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** Why a row has no conversation: mostly a role that only one template knows. */
function noConversation(row: unknown): string {
  const role = unknownRole(row)
  return role === null
    ? 'The row has no messages and no prompt that can be read.'
    : `A message has the role ${JSON.stringify(role.slice(0, MAX_SHOWN))}; the roles are system, user, assistant and tool.`
}
const MAX_SHOWN = 40

function orProblem<Size>(measure: () => Size & { rendering: RowRendering }): Measurement<Size> {
  try {
    return measure()
  } catch (error) {
    if (error instanceof RenderError) return { reason: error.reason, message: error.message }
    throw error
  }
}
