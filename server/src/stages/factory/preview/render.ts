import { Template } from '@huggingface/jinja'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'

/** A stretch of the rendered text; `trained` where the assistant speaks. */
export interface Piece {
  text: string
  trained: boolean
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
export function pieces(template: ChatTemplate, input: Input): Piece[] {
  const cut = GENERATION.test(template.source) ? marked(template, input) : byPrefix(template, input)
  if (leavesCallsOut(template, input, cut.map(({ text }) => text).join('')))
    throw new RenderError(
      'The chat template omits tool calls, so the model would learn to write nothing in their place. Use a template that writes tool calls, or rows without them.',
    )
  return cut
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

function marked({ source, specials }: ChatTemplate, input: Input): Piece[] {
  const text = run(withCharacters(source), specials, input, false)
  const parts = text.split(new RegExp(`[${BEGIN}${END}]`))
  if (parts.length % 2 === 0) throw new RenderError('The row contains private-use characters that Bash Gym uses to mark assistant text.')
  return whole(parts.map((part, index) => ({ text: part, trained: index % 2 === 1 })))
}

function byPrefix({ source, specials }: ChatTemplate, input: Input): Piece[] {
  const { messages, tools } = input
  const all = run(source, specials, input, false)
  const cut: Piece[] = []
  let at = 0
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
    if (after.length <= before.length) continue
    cut.push({ text: all.slice(at, before.length), trained: false }, { text: all.slice(before.length, after.length), trained: true })
    at = after.length
  }
  return whole([...cut, { text: all.slice(at), trained: false }])
}

/** Without empty pieces, and neighbours of one kind as one. */
function whole(cut: Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const { text, trained } of cut) {
    const last = joined.at(-1)
    if (text === '') continue
    if (last?.trained === trained) last.text += text
    else joined.push({ text, trained })
  }
  return joined
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
