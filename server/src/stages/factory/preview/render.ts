import { Template } from '@huggingface/jinja'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import { adapted, type Change } from './adapt.ts'
import { missing } from './complete.ts'
import { optionsOf, thinks, trainingTemplateOf } from './templates.ts'

/** A stretch of the rendered text. `answer`: the message of the assistant that it is; `trained`: it carries loss. */
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
  /** Jinja source, as the tokenizer's files have it. */
  source: string
  /** `bos_token`, `eos_token` …, which templates may print. */
  specials: Record<string, string>
}

/** A row, or a template, that cannot be trained on. `reason` is the same for rows that fail alike; the message says where. */
export class RenderError extends Error {
  readonly reason: string
  constructor(reason: string, where = '') {
    super(`${reason} ${where}`.trim())
    this.reason = reason
  }
}

/** A template that does not end: no other row is tried with it. */
class Stuck extends RenderError {}

/** By the marks of the template, by those of its training template, by what the template adds for an answer, or a row an answer. */
export type Means = 'marks' | 'training' | 'prefix' | 'answers'

/** A row as the template writes it. `messages`: as they were written; `conversations`: one, or one an answer. */
export interface Written {
  means: Means
  changes: Change[]
  messages: ChatMessage[]
  conversations: Piece[][]
}

type Input = { messages: readonly ChatMessage[]; tools: readonly ToolSchema[] }

/**
 * The row by the first means whose text holds all of it, cut where speakers change. The same rule as
 * `bashgym_trainers/render.py`, where it is put into words; `parity.test.ts` holds both to the same tokens.
 */
export function write(template: ChatTemplate, { messages, tools }: Input, thinking = thinks(messages)): Written {
  const renderer = rendererOf(template, tools, thinking)
  const unfit: RenderError[] = []
  for (const { changes, messages: changed } of adapted(messages)) {
    const silent = changed.map(withoutWeight)
    for (const [means, cut] of meansOf(renderer)) {
      try {
        const conversations = cut(silent)
        return { means, changes, messages: changed, conversations: conversations.map((one) => weighed(one, changed)) }
      } catch (error) {
        if (!(error instanceof RenderError) || error instanceof Stuck) throw error
        unfit.push(error)
      }
    }
  }
  throw unfit.find(({ reason }) => reason === LEAVES_OUT) ?? unfit[0]!
}

/** A prompt up to where the model begins to answer, the generation mark of the template included. */
export function promptText(template: ChatTemplate, { messages, tools }: Input, thinking: boolean): string {
  const { text } = rendererOf(template, tools, thinking)
  let refused: RenderError | null = null
  for (const { messages: changed } of adapted(messages)) {
    try {
      const asked = text(changed, true)
      const absent = missing(asked, new Map(), changed)
      if (absent === null) return asked
      refused ??= leftOut(absent)
    } catch (error) {
      if (!(error instanceof RenderError) || error instanceof Stuck) throw error
      refused ??= error
    }
  }
  throw refused!
}

interface Renderer {
  source: string
  text: (messages: readonly ChatMessage[], prompt: boolean) => string
  marked: (source: string, messages: readonly ChatMessage[]) => Found
}

export function rendererOf({ source, specials }: ChatTemplate, tools: readonly ToolSchema[], thinking: boolean): Renderer {
  const given = { ...specials, ...optionsOf(source, thinking) }
  return {
    source,
    text: (messages, prompt) => run(source, given, { messages, tools }, prompt),
    marked: (marks, messages) => marked(marks, given, { messages, tools }),
  }
}

function* meansOf(renderer: Renderer): Generator<[Means, (messages: ChatMessage[]) => Piece[][]]> {
  const { source } = renderer
  if (GENERATION.test(source)) yield ['marks', (messages) => [byMarks(renderer, source, messages)]]
  const trainingTemplate = trainingTemplateOf(source)
  if (trainingTemplate !== null) yield ['training', (messages) => [byMarks(renderer, trainingTemplate, messages)]]
  yield ['prefix', (messages) => [byPrefix(renderer, messages)]]
  yield ['answers', (messages) => byAnswers(renderer, messages)]
}

function withoutWeight(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant') return message
  const { weight: _, ...rest } = message
  return rest
}

function weighed(parts: readonly Piece[], messages: readonly ChatMessage[]): Piece[] {
  return parts.map(({ text, answer }) => {
    const message = answer === null ? null : messages[answer]!
    return { text, answer, trained: message?.role === 'assistant' && message.weight !== 0 }
  })
}

const LEAVES_OUT = 'The chat template leaves out what the row says. Use a template that writes all of it.'
const leftOut = (absent: string) => new RenderError(LEAVES_OUT, `Not there: ${absent}.`)

function checked(text: string, spans: readonly [number, Span][], messages: readonly ChatMessage[]): Piece[] {
  const answers = new Map(spans.map(([index, { start, end }]) => [index, text.slice(start, end)]))
  const absent = missing(text, answers, messages)
  if (absent !== null) throw leftOut(absent)
  const cut: Piece[] = []
  let at = 0
  for (const [answer, { start, end }] of spans) {
    cut.push({ text: text.slice(at, start), trained: false, answer: null }, { text: text.slice(start, end), trained: true, answer })
    at = end
  }
  return [...cut, { text: text.slice(at), trained: false, answer: null }].filter((piece) => piece.text !== '')
}

const GENERATION = /\{%-?\s*generation\b/

// Characters of the private use area: no text of a transcript is expected to hold them, and one that does is refused.
const BEGIN = '\uE0F0'
const END = '\uE0F1'

/** The marks as text: blocks that do nothing, so that white space control stays as it is, with a character before each. */
const withCharacters = (source: string): string =>
  source
    .replaceAll(/^[ \t]+(?=\{%-?\s*(?:end)?generation\b)/gm, '')
    .replaceAll(/\{%(-?)\s*generation\s*(-?)%\}/g, `{{$1 '${BEGIN}' }}{% if true $2%}`)
    .replaceAll(/\{%(-?)\s*endgeneration\s*(-?)%\}/g, `{{$1 '${END}' }}{% endif $2%}`)

interface Found {
  text: string
  /** The span of each answer, in order. */
  spans: Span[]
}

function marked(source: string, given: Given, input: Input): Found {
  const parts = run(withCharacters(source), given, input, false).split(new RegExp(`[${BEGIN}${END}]`))
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
  const { text, spans } = renderer.marked(source, messages)
  const answers = answersIn(messages)
  if (spans.length !== answers.length)
    throw new RenderError(
      'The chat template does not mark each answer once. Use one that does.',
      `It marks ${spans.length} in a row with ${answers.length}.`,
    )
  const opening = openingOf(renderer)
  return checked(
    text,
    answers.map((index, place) => [index, trimmed(text, spans[place]!, opening)]),
    messages,
  )
}

const answersIn = (messages: readonly ChatMessage[]) => messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))

/** What the template adds where it is the model's turn. */
function openingOf({ text }: Renderer): string {
  const asked: ChatMessage[] = [{ role: 'user', content: '?' }]
  try {
    const before = text(asked, false)
    const after = text(asked, true)
    return after.startsWith(before) ? after.slice(before.length) : ''
  } catch (error) {
    if (error instanceof RenderError && !(error instanceof Stuck)) return ''
    throw error
  }
}

/** A marked span without what the generation prompt gives, and without white space behind it. */
function trimmed(text: string, { start, end }: Span, opening: string): Span {
  const [before, within] = [text.slice(0, start), text.slice(start, end)]
  const fits = (at: number) => before.endsWith(opening.slice(0, at)) && within.startsWith(opening.slice(at))
  const given = Array.from({ length: opening.length }, (_, at) => at).find(fits)
  const from = given === undefined ? start : start + opening.length - given
  return { start: from, end: from + text.slice(from, end).trimEnd().length }
}

function byPrefix(renderer: Renderer, messages: readonly ChatMessage[]): Piece[] {
  const whole = renderer.text(messages, false)
  return checked(
    whole,
    answersIn(messages).map((index) => [index, spanOf(renderer, messages, index, whole)]),
    messages,
  )
}

function byAnswers(renderer: Renderer, messages: readonly ChatMessage[]): Piece[][] {
  const answers = answersIn(messages)
  if (answers.length === 0) throw new RenderError('No token of this row carries loss: it has no assistant message with content.')
  return answers.map((index) => answerAlone(renderer, messages.slice(0, index + 1)))
}

/** The last message, an answer, behind what the model is given before it. */
export function answerAlone(renderer: Renderer, messages: readonly ChatMessage[]): Piece[] {
  const whole = renderer.text(messages, false)
  const last = messages.length - 1
  const parts = checked(whole, [[last, spanOf(renderer, messages, last, whole)]], messages)
  return parts.at(-1)?.answer === null ? parts.slice(0, -1) : parts
}

const SHOWN = 40

function spanOf({ text }: Renderer, messages: readonly ChatMessage[], index: number, whole: string): Span {
  if (index === 0) throw new RenderError('The row starts with an assistant message; it must start with a prompt.')
  const before = text(messages.slice(0, index), true)
  const after = (index === messages.length - 1 ? whole : text(messages.slice(0, index + 1), false)).trimEnd()
  for (const part of [before, after]) {
    if (whole.startsWith(part)) continue
    const at = Array.from({ length: part.length }, (_, place) => place).find((place) => part[place] !== whole[place]) ?? whole.length
    throw new RenderError(
      'The chat template writes a message differently when more messages follow, so its tokens differ from what the model would produce. Use a template with generation markers, or rows with one user turn.',
      `Message ${index + 1}: “${part.slice(at, at + SHOWN)}” became “${whole.slice(at, at + SHOWN)}”.`,
    )
  }
  return { start: before.length, end: Math.max(before.length, after.length) }
}

/** How this engine prints an object that a template joins to a text, where Python's refuses. */
const OBJECT = '[object Map]'

const parsed = new Map<string, Template>()
/** A template is a program from outside: one that loops is stopped. */
const RENDER_MS = 5000

type Given = Record<string, string | false>

function run(source: string, given: Given, { messages, tools }: Input, prompt: boolean): string {
  try {
    const template = parsed.get(source) ?? withTimeLimit(RENDER_MS, () => new Template(source))
    if (parsed.size > 20) parsed.clear()
    parsed.set(source, template)
    const values = { ...given, messages, tools: tools.length > 0 ? tools : null, documents: null, add_generation_prompt: prompt }
    const text = withTimeLimit(RENDER_MS, () => template.render(values))
    if (text.includes(OBJECT)) throw new Error('it expects call arguments as text, but they are objects')
    return text
  } catch (error) {
    if (error instanceof TimeLimitError)
      throw new Stuck(
        `The chat template did not finish within ${RENDER_MS / 1000} seconds, so it was stopped. Check it for endless loops, or use another template.`,
      )
    throw new RenderError(`The chat template rejected the row: ${error instanceof Error ? error.message : String(error)}`)
  }
}
