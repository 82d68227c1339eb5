import { EventEmitter, once } from 'node:events'
import { AppError } from '#contracts/errors.ts'
import type { Source } from './source.ts'

/**
 * The last bytes of something that is produced once: they can be read again after a reconnect, and by several. A reader
 * that falls behind by more than `capacity` continues after a gap; the producer never waits for one.
 */
export function createRing(capacity: number) {
  const kept = new Uint8Array(capacity)
  const news = new EventEmitter().setMaxListeners(0)
  let end = 0
  let finished = false

  const copy = (from: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(length)
    const at = from % capacity
    const first = kept.subarray(at, at + length)
    bytes.set(first)
    bytes.set(kept.subarray(0, length - first.length), first.length)
    return bytes
  }

  return {
    push(bytes: Uint8Array): void {
      const last = bytes.subarray(Math.max(0, bytes.length - capacity))
      end += bytes.length
      const at = (end - last.length) % capacity
      const first = last.subarray(0, capacity - at)
      kept.set(first, at)
      kept.set(last.subarray(first.length), 0)
      news.emit('news')
    },
    /** No more will be pushed. */
    finish(): void {
      finished = true
      news.emit('news')
    },
    /** Reads from a byte on. */
    reader(from: number): Pick<Source, 'read'> {
      if (from > end) throw beyondTheEnd(from, end)
      let at = from
      return {
        async read(most, signal) {
          for (;;) {
            const offset = Math.max(at, end - capacity)
            const length = Math.min(most, end - offset)
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

/** What a reader knows that asks for bytes that never were is of another stream. */
export const beyondTheEnd = (from: number, end: number) =>
  new AppError('invalid_request', {
    message: `This stream has ${end} bytes, so it cannot be read from byte ${from} on.`,
    hint: 'Open it from byte 0.',
  })
