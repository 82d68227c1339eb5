import { EventEmitter, once } from 'node:events'
import { AppError } from '#contracts/errors.ts'
import type { Source } from './source.ts'

/**
 * Keeps the last bytes of an output, so that several readers can read them, also again after a reconnect. A reader that
 * is more than `capacity` behind continues after a gap; the producer never waits for readers.
 */
export function createRing(capacity: number) {
  const buffer = new Uint8Array(capacity)
  const news = new EventEmitter().setMaxListeners(0)
  let end = 0
  let finished = false

  const copy = (from: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(length)
    const at = from % capacity
    const first = buffer.subarray(at, at + length)
    bytes.set(first)
    bytes.set(buffer.subarray(0, length - first.length), first.length)
    return bytes
  }

  return {
    push(bytes: Uint8Array): void {
      const last = bytes.subarray(Math.max(0, bytes.length - capacity))
      end += bytes.length
      const at = (end - last.length) % capacity
      const first = last.subarray(0, capacity - at)
      buffer.set(first, at)
      buffer.set(last.subarray(first.length), 0)
      news.emit('news')
    },
    /** Ends the output. */
    finish(): void {
      finished = true
      news.emit('news')
    },
    /** Reads from an offset. */
    reader(from: number): Pick<Source, 'read'> {
      if (from > end) throw beyondTheEnd(from, end)
      let at = from
      return {
        async read(maxBytes, signal) {
          for (;;) {
            const offset = Math.max(at, end - capacity)
            const length = Math.min(maxBytes, end - offset)
            at = offset + length
            if (length > 0) return { offset, bytes: copy(offset, length) }
            if (finished) return null
            await once(news, 'news', { signal })
          }
        },
      }
    },
  }
}

/** A reader that asks for later bytes than the stream has must have its offset from another stream. */
export const beyondTheEnd = (from: number, end: number) =>
  new AppError('invalid_request', {
    message: `This stream has ${end} bytes, so it cannot be read from byte ${from}.`,
    hint: 'Open it from byte 0.',
  })
