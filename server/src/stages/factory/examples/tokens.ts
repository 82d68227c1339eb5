import type { ChatMessage, TokenCount } from '#contracts/entities/example.ts'
import { o200k } from '../o200k.ts'

const SAMPLE_CHARS = 2000
const SAMPLE_PIECES = 4
/** The template's marks around each message. */
const TOKENS_PER_MESSAGE = 4

/** Characters per token, measured on a sample from all over the text. */
export function charsPerToken(text: string): number {
  const size = SAMPLE_CHARS / SAMPLE_PIECES
  const step = Math.max(size, Math.floor(text.length / SAMPLE_PIECES))
  let sample = ''
  for (let at = 0; at < text.length && sample.length < SAMPLE_CHARS; at += step) sample += text.slice(at, at + size)
  return sample === '' ? 4 : sample.length / Math.max(1, o200k().countTokens(sample, { allowedSpecial: 'all' }))
}

/** An estimate: the exact count needs the base model's tokenizer and template. */
export const estimate = (chars: number, messages: number, ratio: number): TokenCount => ({
  count: Math.ceil(chars / ratio) + messages * TOKENS_PER_MESSAGE,
  exact: false,
  tokenizer: 'estimate (o200k)',
})

export const charsOf = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (sum, message) =>
      sum + message.content.length + (message.role === 'assistant' && message.tool_calls ? JSON.stringify(message.tool_calls).length : 0),
    0,
  )
