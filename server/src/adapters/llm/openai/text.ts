import { z } from 'zod'
import type { Dialect, Message } from '../types.ts'
import { openai } from './dialect.ts'
import { createReader } from './stream.ts'

/** The text completions API of llama.cpp, which continues one prompt. Only for streams. */
export const text: Dialect = {
  ...openai,
  path: '/completions',
  body: ({ model, messages, maxTokens, temperature, seed }) => ({
    ...(model !== null && { model }),
    prompt: messages.map(textOf).join(''),
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
  }),
  read: () => null,
  createReader() {
    const reader = createReader()
    return { addEvent: (event) => reader.addEvent(toChatEvent(event)), answer: () => reader.answer(), get state() { return reader.state } } // prettier-ignore
  },
}

const textOf = (message: Message): string => {
  if ('wire' in message) throw new Error('A text completion takes a prompt, not messages.')
  return message.content
}

const Piece = z.looseObject({ choices: z.array(z.looseObject({ text: z.string() })) })

/** Converts an event of a text completion to an event of a chat completion. */
function toChatEvent(event: unknown): unknown {
  const { data } = Piece.safeParse(event)
  return data ? { ...data, choices: data.choices.map(({ text: content, ...choice }) => ({ ...choice, delta: { content } })) } : event
}
