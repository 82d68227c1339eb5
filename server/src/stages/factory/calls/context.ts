import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { fewerTools, offersFewer, openingOf } from '../preview/windows.ts'

export interface Context {
  messages: ChatMessage[]
  tools: ToolSchema[]
}

/** An estimate for English and code, and the marks of a template around each message. */
const [CHARS_PER_TOKEN, TOKENS_PER_MESSAGE] = [3.6, 4]

/**
 * What a model reads before an answer of a row: everything before it, or, where that is longer than the limit, the head of a row
 * that was split for training and as many of the newest turns as fit. Null: not even the head fits.
 */
export function contextBefore({ messages, tools }: Context, answer: number, limit: number): Context | null {
  const before = messages.slice(0, answer)
  if (tokensOf(before, tools) <= limit) return { messages: before, tools: [...tools] }
  const offered = (offersFewer(limit) ? fewerTools(messages, tools) : null) ?? [...tools]
  const turns = before.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  let context: ChatMessage[] | null = null
  for (const first of [answer, ...turns.toReversed()]) {
    const longer = [...openingOf(messages, first).opening, ...before.slice(first)]
    if (tokensOf(longer, offered) > limit) break
    context = longer
  }
  return context && { messages: context, tools: offered }
}

const tokensOf = (messages: readonly ChatMessage[], tools: readonly ToolSchema[]): number =>
  (JSON.stringify(messages).length + JSON.stringify(tools).length) / CHARS_PER_TOKEN + messages.length * TOKENS_PER_MESSAGE
