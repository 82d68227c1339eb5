import { isDeepStrictEqual } from 'node:util'
import { Template } from '@huggingface/jinja'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import { withoutWeight } from '../curate/candidate.ts'
import { adaptations, type Change, withoutTexts } from './adapt.ts'
import { findMissing } from './complete.ts'
import { asText, spelledMark } from './spelled.ts'
import { optionsOf, thinks, trainingTemplateOf } from './templates.ts'

/** A part of the rendered text. `answer`: index of its assistant message; `trained`: it carries loss. */
export interface Piece {
  text: string
  trained: boolean
  answer: number | null
}

interface Span {
  start: number
  end: number
}

export interface ChatTemplate {
  /** Jinja source. */
  source: string
  /** `bos_token`, `eos_token` …, which templates may print. */
  specialTokens: Record<string, string>
  /** Texts that the tokenizer would read as a special token; null if there are none. */
  marks?: RegExp | null
  /** Whether the tokenizer encodes a text in pieces, so that such a text can be encoded as text. */
  encodesPieces?: boolean
}

/** A row or template that cannot be trained on. `reason` groups rows with the same problem; the message adds the position. */
export class RenderError extends Error {
  readonly reason: string
  constructor(reason: string, where = '') {
    super(`${reason} ${where}`.trim())
    this.reason = reason
  }
}

/** The template did not finish, so no other method is tried. */
class TemplateTimeout extends RenderError {}

/** The template's marks, a training template's marks, the common prefix before each answer, or one row per answer. */
export type MaskingMethod = 'marks' | 'training' | 'prefix' | 'answers'

/** A rendered row. `messages`: after `changes`; `conversations`: one, or with the method `answers` one per answer. */
export interface RenderedRow {
  method: MaskingMethod
  changes: Change[]
  messages: ChatMessage[]
  conversations: Piece[][]
}

type Input = { messages: readonly ChatMessage[]; tools: readonly ToolSchema[] }

/**
 * Renders a row by the first method whose text contains all of it, and cuts the text where the speaker changes. The same rule
 * as `bashgym_trainers/render.py`, which explains it; `parity.test.ts` checks that both give the same tokens.
 */
export function renderRow(template: ChatTemplate, { messages, tools }: Input, thinking = thinks(messages)): RenderedRow {
  const renderer = rendererOf(template, tools, thinking)
  const marks = template.marks ?? null
  if (template.encodesPieces === false) refuseMarks(marks, messages)
  const errors: RenderError[] = []
  for (const { changes, messages: adaptedMessages } of adaptations(asText(marks, messages))) {
    const unweighted = adaptedMessages.map(withoutWeight)
    for (const [method, render] of methodsOf(renderer)) {
      try {
        const conversations = render(unweighted)
        return { method, changes, messages: adaptedMessages, conversations: conversations.map((one) => withWeights(one, adaptedMessages)) }
      } catch (error) {
        if (!(error instanceof RenderError) || error instanceof TemplateTimeout) throw error
        errors.push(error)
      }
    }
  }
  throw errors.find(({ reason }) => reason === NO_CALLS || reason === TEXT_LEFT_OUT) ?? errors[0]!
}

/** A prompt with the template's generation prompt at its end. */
export function promptText(template: ChatTemplate, { messages, tools }: Input, thinking: boolean): string {
  const { text } = rendererOf(template, tools, thinking)
  refuseMarks(template.marks ?? null, [messages, tools])
  let firstError: RenderError | null = null
  for (const { messages: adaptedMessages } of adaptations(messages)) {
    try {
      const rendered = text(adaptedMessages, true)
      const missingPart = findMissing(rendered, new Map(), adaptedMessages, dropsLater(text, adaptedMessages))
      if (missingPart === null) return rendered
      firstError ??= incompleteError(missingPart)
    } catch (error) {
      if (!(error instanceof RenderError) || error instanceof TemplateTimeout) throw error
      firstError ??= error
    }
  }
  throw firstError!
}

/** Throws `RenderError` if a text spells a special token. */
function refuseMarks(marks: RegExp | null, texts: readonly unknown[]): void {
  const mark = spelledMark(marks, texts)
  if (mark !== null)
    throw new RenderError('A text spells a special token, which this tokenizer would read as the token itself.', `It spells ${mark}.`)
}

interface Renderer {
  source: string
  text: (messages: readonly ChatMessage[], prompt: boolean) => string
  renderMarked: (source: string, messages: readonly ChatMessage[]) => MarkedText
}

export function rendererOf(
  { source, specialTokens, marks = null }: ChatTemplate,
  givenTools: readonly ToolSchema[],
  thinking: boolean,
): Renderer {
  const tools = asText(marks, givenTools)
  const values = { ...specialTokens, ...optionsOf(source, thinking) }
  return {
    source,
    text: (messages, prompt) => renderTemplate(source, values, { messages, tools }, prompt),
    renderMarked: (marks, messages) => renderMarked(marks, values, { messages, tools }),
  }
}

function* methodsOf(renderer: Renderer): Generator<[MaskingMethod, (messages: ChatMessage[]) => Piece[][]]> {
  const { source } = renderer
  if (GENERATION.test(source)) yield ['marks', (messages) => [byMarks(renderer, source, messages)]]
  const trainingTemplate = trainingTemplateOf(source)
  if (trainingTemplate !== null) yield ['training', (messages) => [byMarks(renderer, trainingTemplate, messages)]]
  yield ['prefix', (messages) => [byPrefix(renderer, messages)]]
  yield ['answers', (messages) => byAnswers(renderer, messages)]
}

function withWeights(parts: readonly Piece[], messages: readonly ChatMessage[]): Piece[] {
  return parts.map(({ text, answer }) => {
    const message = answer === null ? null : messages[answer]!
    return { text, answer, trained: message?.role === 'assistant' && message.weight !== 0 }
  })
}

/** Reasons of rows that a template does not write in full: it has no form for tool calls, or leaves out text. */
export const NO_CALLS = "This model's template can't express tool calls, and your rows contain them."
const TEXT_LEFT_OUT = "This model's template leaves out text of your rows."
const incompleteError = (missingPart: string) =>
  new RenderError(missingPart.startsWith('tool call') || missingPart.startsWith('the tool result') ? NO_CALLS : TEXT_LEFT_OUT, `Not there: ${missingPart}.`) // prettier-ignore

/** What a template writes for an answer without thoughts carries no loss. */
const NO_THOUGHT = /^<think>[ \t\n]*<\/think>[ \t\n]*/

function cutIntoPieces(
  text: string,
  spans: readonly [number, Span][],
  messages: readonly ChatMessage[],
  isDroppedLater?: (index: number) => boolean,
): Piece[] {
  const answers = new Map(spans.map(([index, { start, end }]) => [index, text.slice(start, end)]))
  const missingPart = findMissing(text, answers, messages, isDroppedLater)
  if (missingPart !== null) throw incompleteError(missingPart)
  const pieces: Piece[] = []
  let at = 0
  for (const [answer, { start: begun, end }] of spans) {
    const start = begun + (NO_THOUGHT.exec(text.slice(begun, end))?.[0].length ?? 0)
    pieces.push({ text: text.slice(at, start), trained: false, answer: null }, { text: text.slice(start, end), trained: true, answer })
    at = end
  }
  return [...pieces, { text: text.slice(at), trained: false, answer: null }].filter((piece) => piece.text !== '')
}

const GENERATION = /\{%-?\s*generation\b/

// Characters of the private use area; a row that contains them is refused.
const BEGIN = '\uE0F0'
const END = '\uE0F1'

/** Replaces each generation mark by a character and a block without effect, which preserves white space control. */
const markersAsCharacters = (source: string): string =>
  source
    .replaceAll(/^[ \t]+(?=\{%-?\s*(?:end)?generation\b)/gm, '')
    .replaceAll(/\{%(-?)\s*generation\s*(-?)%\}/g, `{{$1 '${BEGIN}' }}{% if true $2%}`)
    .replaceAll(/\{%(-?)\s*endgeneration\s*(-?)%\}/g, `{{$1 '${END}' }}{% endif $2%}`)

interface MarkedText {
  text: string
  /** The span of each answer, in order. */
  spans: Span[]
}

function renderMarked(source: string, values: TemplateValues, input: Input): MarkedText {
  const parts = renderTemplate(markersAsCharacters(source), values, input, false).split(new RegExp(`[${BEGIN}${END}]`))
  if (parts.length % 2 === 0) throw new RenderError('The row contains private-use characters that Bash Gym uses to mark assistant text.')
  const spans: Span[] = []
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) spans.push({ start: at, end: at + part.length })
    at += part.length
  }
  return { text: parts.join(''), spans }
}

function byMarks(renderer: Renderer, source: string, messages: readonly ChatMessage[]): Piece[] {
  const { text, spans } = renderer.renderMarked(source, messages)
  const answers = answersIn(messages)
  if (spans.length !== answers.length)
    throw new RenderError(
      'The chat template does not mark each answer once. Use one that does.',
      `It marks ${spans.length} in a row with ${answers.length}.`,
    )
  const opening = generationPromptOf(renderer)
  return cutIntoPieces(
    text,
    answers.map((index, answerIndex) => [index, trimSpan(text, spans[answerIndex]!, opening)]),
    messages,
  )
}

const answersIn = (messages: readonly ChatMessage[]) => messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))

/** The template's generation prompt; empty if it is not a suffix. */
function generationPromptOf({ text }: Renderer): string {
  const question: ChatMessage[] = [{ role: 'user', content: '?' }]
  try {
    const before = text(question, false)
    const after = text(question, true)
    return after.startsWith(before) ? after.slice(before.length) : ''
  } catch (error) {
    if (error instanceof RenderError && !(error instanceof TemplateTimeout)) return ''
    throw error
  }
}

/** A marked span without the generation prompt and without trailing white space. */
function trimSpan(text: string, { start, end }: Span, opening: string): Span {
  const [before, inside] = [text.slice(0, start), text.slice(start, end)]
  const fits = (at: number) => before.endsWith(opening.slice(0, at)) && inside.startsWith(opening.slice(at))
  const overlap = Array.from({ length: opening.length }, (_, at) => at).find(fits)
  const from = overlap === undefined ? start : start + opening.length - overlap
  return { start: from, end: from + text.slice(from, end).trimEnd().length }
}

function byPrefix(renderer: Renderer, messages: readonly ChatMessage[]): Piece[] {
  const rowText = renderer.text(messages, false)
  return cutIntoPieces(
    rowText,
    answersIn(messages).map((index) => [index, spanOf(renderer, messages, index, rowText)]),
    messages,
  )
}

function byAnswers(renderer: Renderer, messages: readonly ChatMessage[]): Piece[][] {
  const answers = answersIn(messages)
  if (answers.length === 0) throw new RenderError('No token of this row carries loss: it has no assistant message with content.')
  return answers.map((index) => renderLastAnswer(renderer, messages.slice(0, index + 1)))
}

/** Whether the text beside the calls of a message is written while the message is the last. */
const dropsLater = (text: Renderer['text'], messages: readonly ChatMessage[]) => (index: number) => {
  try {
    return text(messages.slice(0, index + 1), false).includes(messages[index]!.content.split('</think>').at(-1)!.trim())
  } catch (error) {
    if (error instanceof RenderError) return false
    throw error
  }
}

/** The pieces of the last message, which is an answer, and of its prompt. */
export function renderLastAnswer(renderer: Renderer, messages: readonly ChatMessage[]): Piece[] {
  try {
    return lastAnswer(renderer, messages)
  } catch (error) {
    if (!(error instanceof RenderError) || error instanceof TemplateTimeout) throw error
    // An answer that ends a turn makes the template drop the texts beside the calls before it, which the prompt still has.
    const context = messages.slice(0, -1)
    const bareContext = withoutTexts(context)
    if (isDeepStrictEqual(bareContext, context)) throw error
    const [prompt, barePrompt] = [renderer.text(context, true), renderer.text(bareContext, true)]
    if (findMissing(prompt, new Map(), context, dropsLater(renderer.text, messages)) !== null) throw error
    const pieces = lastAnswer(renderer, [...bareContext, messages.at(-1)!])
    const answer = pieces.at(-1)!
    const begun = pieces.slice(0, -1).map(({ text }) => text).join('') // prettier-ignore
    if (!begun.startsWith(barePrompt) || answer.answer === null) throw error
    return [{ text: `${prompt}${begun.slice(barePrompt.length)}`, trained: false, answer: null }, answer]
  }
}

function lastAnswer(renderer: Renderer, messages: readonly ChatMessage[]): Piece[] {
  const rowText = renderer.text(messages, false)
  const last = messages.length - 1
  const spans: [number, Span][] = [[last, spanOf(renderer, messages, last, rowText)]]
  const parts = cutIntoPieces(rowText, spans, messages, dropsLater(renderer.text, messages))
  return parts.at(-1)?.answer === null ? parts.slice(0, -1) : parts
}

const SHOWN_CHARS = 40

function spanOf({ text }: Renderer, messages: readonly ChatMessage[], index: number, rowText: string): Span {
  if (index === 0) throw new RenderError('The row starts with an assistant message; it must start with a prompt.')
  const before = text(messages.slice(0, index), true)
  const after = (index === messages.length - 1 ? rowText : text(messages.slice(0, index + 1), false)).trimEnd()
  for (const part of [before, after]) {
    if (rowText.startsWith(part)) continue
    const at = Array.from({ length: part.length }, (_, place) => place).find((place) => part[place] !== rowText[place]) ?? rowText.length
    throw new RenderError(
      'The chat template writes a message differently when more messages follow, so its tokens differ from what the model would produce. Use a template with generation markers, or rows with one user turn.',
      `Message ${index + 1}: “${part.slice(at, at + SHOWN_CHARS)}” became “${rowText.slice(at, at + SHOWN_CHARS)}”.`,
    )
  }
  return { start: before.length, end: Math.max(before.length, after.length) }
}

/** This engine prints an object that a template concatenates; Python's engine throws. */
const PRINTED_OBJECT = '[object Map]'

const parsedTemplates = new Map<string, Template>()
/** Templates are untrusted programs, so endless ones are stopped. */
const RENDER_MS = 5000

type TemplateValues = Record<string, string | false>

function renderTemplate(source: string, values: TemplateValues, { messages, tools }: Input, prompt: boolean): string {
  try {
    const template = parsedTemplates.get(source) ?? withTimeLimit(RENDER_MS, () => new Template(source))
    if (parsedTemplates.size > 20) parsedTemplates.clear()
    parsedTemplates.set(source, template)
    const inputs = { ...values, messages, tools: tools.length > 0 ? tools : null, documents: null, add_generation_prompt: prompt }
    const text = withTimeLimit(RENDER_MS, () => template.render(inputs))
    if (text.includes(PRINTED_OBJECT)) throw new Error('it expects call arguments as text, but they are objects')
    return text
  } catch (error) {
    if (error instanceof TimeLimitError)
      throw new TemplateTimeout(
        `The chat template did not finish within ${RENDER_MS / 1000} seconds, so it was stopped. Check it for endless loops, or use another template.`,
      )
    throw new RenderError(`The chat template rejected the row: ${error instanceof Error ? error.message : String(error)}`)
  }
}
