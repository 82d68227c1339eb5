import { createParser } from 'eventsource-parser'
import { anthropic } from '../llm/anthropic/dialect.ts'
import { openai } from '../llm/openai/dialect.ts'
import type { Dialect, Usage } from '../llm/types.ts'
import type { ProxyDialect } from './types.ts'

export const DIALECTS: Record<ProxyDialect, Dialect> = { anthropic, openai }
const MOST_EVENT_CHARS = 4 * 1024 * 1024
const MOST_JSON_BYTES = 32 * 1024 * 1024

/** Reads how many tokens an answer took, from its bytes as they pass. Never fails: what cannot be read says nothing. */
export interface AnswerUsage {
  add(chunk: Buffer): void
  /** So far; null: not told. */
  end(): Usage | null
}

export const usageOfStream = (name: ProxyDialect): AnswerUsage => {
  const { createReader, endMark } = DIALECTS[name]
  const reader = createReader()
  const decoder = new TextDecoder() // a character may come in two pieces
  let isReadable = true
  const parser = createParser({
    maxBufferSize: MOST_EVENT_CHARS,
    onEvent({ data }) {
      const event = data === endMark ? undefined : parsed(data)
      if (event !== undefined) reader.take(event)
    },
    onError: ({ type }) => void (isReadable &&= type !== 'max-buffer-size-exceeded'),
  })
  return {
    add: (chunk) => void (isReadable && parser.feed(decoder.decode(chunk, { stream: true }))),
    end: () => reader.answer().usage,
  }
}

export const usageOfJson = (name: ProxyDialect): AnswerUsage => {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk) {
      if ((bytes += chunk.length) <= MOST_JSON_BYTES) chunks.push(chunk)
    },
    end: () => (bytes > MOST_JSON_BYTES ? null : (DIALECTS[name].read(parsed(Buffer.concat(chunks).toString('utf8')))?.usage ?? null)),
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
