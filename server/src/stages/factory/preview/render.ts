import { Template } from '@huggingface/jinja'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'

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

/** A row, or a template, that cannot be trained on; the message says why and what to do. */
export class RenderError extends Error {}

type Input = { messages: readonly ChatMessage[]; tools: readonly ToolSchema[] }

/**
 * What the model sees of a row, cut where speakers change; joined, the pieces are the whole text. The same rule as
 * `bashgym_trainers/render.py`, where it is put into words; `parity.test.ts` holds both to the same tokens.
 */
export function pieces(template: ChatTemplate, row: Input): Piece[] {
  const input = { messages: row.messages.map(withoutWeight), tools: row.tools }
  const { text, spans } = GENERATION.test(template.source) ? marked(template, input) : byPrefix(template, input)
  if (leavesCallsOut(template, input, text))
    throw new RenderError(
      'The chat template omits tool calls, so the model would learn to write nothing in their place. Use a template that writes tool calls, or rows without them.',
    )
  const answers = row.messages.flatMap((message, index) => (message.role === 'assistant' ? [{ index, trained: message.weight !== 0 }] : []))
  if (spans.length !== answers.length)
    throw new RenderError(
      `The chat template marks ${spans.length} answers in a row with ${answers.length}. Use a template that marks each answer once.`,
    )
  const cut: Piece[] = []
  let at = 0
  for (const [place, { start, end }] of spans.entries()) {
    const { index, trained } = answers[place]!
    cut.push({ text: text.slice(at, start), trained: false, answer: null }, { text: text.slice(start, end), trained, answer: index })
    at = end
  }
  return [...cut, { text: text.slice(at), trained: false, answer: null }].filter((piece) => piece.text !== '')
}

function withoutWeight(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant') return message
  const { weight: _, ...rest } = message
  return rest
}

function leavesCallsOut({ source, specials }: ChatTemplate, { messages, tools }: Input, text: string): boolean {
  if (!messages.some((message) => message.role === 'assistant' && message.tool_calls?.length)) return false
  const silent = messages.map((message): ChatMessage => {
    if (message.role !== 'assistant') return message
    const { tool_calls: _, ...rest } = message
    return rest
  })
  try {
    return run(source, specials, { messages: silent, tools }, false) === text
  } catch (error) {
    if (error instanceof RenderError) return false // it cannot do without them
    throw error
  }
}

/** A prompt up to where the model begins to answer, the generation mark of the template included. */
export const promptText = ({ source, specials }: ChatTemplate, input: Input): string => run(source, specials, input, true)

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
  /** Where each answer stands, in order. */
  spans: Span[]
}

function marked({ source, specials }: ChatTemplate, input: Input): Found {
  const parts = run(withCharacters(source), specials, input, false).split(new RegExp(`[${BEGIN}${END}]`))
  if (parts.length % 2 === 0) throw new RenderError('The row contains private-use characters that Bash Gym uses to mark assistant text.')
  const spans: Span[] = []
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) spans.push({ start: at, end: at + part.length })
    at += part.length
  }
  return { text: parts.join(''), spans }
}

function byPrefix({ source, specials }: ChatTemplate, input: Input): Found {
  const { messages, tools } = input
  const all = run(source, specials, input, false)
  const spans: Span[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    if (index === 0) throw new RenderError('The row starts with an assistant message; it must start with a prompt.')
    const before = run(source, specials, { messages: messages.slice(0, index), tools }, true)
    const after = run(source, specials, { messages: messages.slice(0, index + 1), tools }, false).trimEnd()
    if (!all.startsWith(before) || !all.startsWith(after)) {
      throw new RenderError(
        `The chat template writes message ${index + 1} differently when more messages follow, so its tokens differ from what the model would produce. Use a template with generation markers, or rows with one user turn.`,
      )
    }
    spans.push({ start: before.length, end: Math.max(before.length, after.length) })
  }
  return { text: all, spans }
}

/** How this engine prints an object that a template joins to a text, where Python's refuses. */
const OBJECT = '[object Map]'

const parsed = new Map<string, Template>()
/** A template is a program from outside: one that loops is stopped. */
const RENDER_MS = 5000

function run(source: string, specials: Record<string, string>, { messages, tools }: Input, prompt: boolean): string {
  try {
    const template = parsed.get(source) ?? withTimeLimit(RENDER_MS, () => new Template(source))
    if (parsed.size > 20) parsed.clear()
    parsed.set(source, template)
    const values = { ...specials, messages, tools: tools.length > 0 ? tools : null, documents: null, add_generation_prompt: prompt }
    const text = withTimeLimit(RENDER_MS, () => template.render(values))
    if (text.includes(OBJECT)) throw new Error('it expects call arguments as text, but they are objects')
    return text
  } catch (error) {
    if (error instanceof TimeLimitError)
      throw new RenderError(
        `The chat template did not finish within ${RENDER_MS / 1000} seconds, so it was stopped. Check it for endless loops, or use another template.`,
      )
    throw new RenderError(`The chat template rejected the row: ${error instanceof Error ? error.message : String(error)}`)
  }
}
