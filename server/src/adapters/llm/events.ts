import { createParser } from 'eventsource-parser'
import type { ProviderError } from './error.ts'
import type { StreamEvent, StreamReader, Refusal } from './types.ts'

const MAX_EVENT_CHARS = 4 * 1024 * 1024

interface Failures {
  /** The data is not of this API. */
  unreadable: (detail: string) => ProviderError
  /** The provider reports an error. */
  refused: (refusal: Refusal) => ProviderError
  brokenOff: () => ProviderError
}

/** Reads the server-sent events of one answer. Returns when the answer is complete; throws otherwise. */
export async function* readStream(
  bytes: AsyncIterable<Uint8Array>,
  reader: StreamReader,
  endMark: string | null,
  failures: Failures,
): AsyncGenerator<StreamEvent, void> {
  let count = 0
  for await (const data of dataOf(bytes, failures)) {
    count += 1
    if (data === endMark) return
    const events = reader.addEvent(parsed(data, failures))
    if (events === null) throw failures.unreadable('An event of the stream does not have the shape of this API.')
    if (!Array.isArray(events)) throw failures.refused(events)
    yield* events
    if (reader.state === 'over') return
  }
  if (count === 0) throw failures.unreadable('It is not a stream of events.')
  if (reader.state === 'open') throw failures.brokenOff()
}

/** The data of each complete event. */
async function* dataOf(bytes: AsyncIterable<Uint8Array>, failures: Failures): AsyncGenerator<string, void> {
  const ready: string[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: ({ data }) => void ready.push(data),
    onError: ({ type }) => void (isTooLong ||= type === 'max-buffer-size-exceeded'),
  })
  const decoder = new TextDecoder() // a character may be split between two chunks
  for await (const chunk of bytes) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (isTooLong) throw failures.unreadable(`An event of the stream is longer than ${MAX_EVENT_CHARS} characters.`)
    yield* ready.splice(0)
  }
}

function parsed(data: string, failures: Failures): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw failures.unreadable('An event of the stream is not JSON.')
  }
}
