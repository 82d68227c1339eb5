import { createParser } from 'eventsource-parser'
import { anthropic } from '../llm/anthropic/dialect.ts'
import { openai } from '../llm/openai/dialect.ts'
import type { Dialect, StreamedAnswer, Usage } from '../llm/types.ts'
import { jsonOf } from '../tools/json.ts'
import { usageOfResponse, usageOfResponseEvent } from './responses-usage.ts'
import type { ProxyDialect, ProxyPath } from './types.ts'

export const DIALECTS: Record<ProxyDialect, Dialect> = { anthropic, openai }
const MAX_EVENT_CHARS = 4 * 1024 * 1024
const MAX_JSON_BYTES = 32 * 1024 * 1024

/** Counts the tokens of an answer from its bytes as they pass. Never fails: unreadable bytes are ignored. */
export interface AnswerUsage {
  add(chunk: Buffer): void
  /** The usage so far; null if the endpoint did not report it. `isFinal`: it is the count at the end of the answer. */
  end(): { usage: Usage | null; isFinal: boolean; answer?: StreamedAnswer | null }
}

/** Reads the events of one stream. */
interface UsageReader {
  addEvent(event: unknown): void
  end: AnswerUsage['end']
}

const readerOf = (dialect: ProxyDialect, path: ProxyPath): UsageReader => {
  if (path === '/v1/responses') {
    let usage: Usage | null = null
    return { addEvent: (event) => void (usage = usageOfResponseEvent(event) ?? usage), end: () => ({ usage, isFinal: usage !== null }) }
  }
  const reader = DIALECTS[dialect].createReader()
  let isFinal = false
  return {
    addEvent(event) {
      const events = reader.addEvent(event)
      isFinal ||= Array.isArray(events) && events.some(({ type }) => type === 'measured') // the first event of a message has a count too
    },
    end() {
      const answer = reader.answer()
      return { usage: answer.usage, isFinal, answer: reader.state === 'open' ? null : answer }
    },
  }
}

export const usageOfStream = (dialect: ProxyDialect, path: ProxyPath): AnswerUsage => {
  const { endMark } = DIALECTS[dialect]
  const reader = readerOf(dialect, path)
  const decoder = new TextDecoder() // a character may be split between two chunks
  let isReadable = true
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent({ data }) {
      const event = data === endMark ? undefined : jsonOf(data)
      if (event !== undefined) reader.addEvent(event)
    },
    onError: ({ type }) => void (isReadable &&= type !== 'max-buffer-size-exceeded'),
  })
  return {
    add: (chunk) => void (isReadable && parser.feed(decoder.decode(chunk, { stream: true }))),
    end: () => reader.end(),
  }
}

export const usageOfJson = (dialect: ProxyDialect, path: ProxyPath): AnswerUsage => {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk) {
      if ((bytes += chunk.length) <= MAX_JSON_BYTES) chunks.push(chunk)
    },
    end() {
      const answer = bytes > MAX_JSON_BYTES ? null : jsonOf(Buffer.concat(chunks).toString('utf8'))
      if (path === '/v1/responses') {
        const usage = usageOfResponse(answer)
        return { usage, isFinal: usage !== null }
      }
      const read = DIALECTS[dialect].read(answer)
      return { usage: read?.usage ?? null, isFinal: read !== null, answer: read }
    },
  }
}
