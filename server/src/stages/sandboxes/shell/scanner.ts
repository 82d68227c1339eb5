import { MARK, MARKER_DIGITS } from './protocol.ts'

/** A status has at most three digits. */
const LONGEST_MARKER = 1 + MARKER_DIGITS + 3 + 1

interface MarkerHandlers {
  /** Called with the bytes outside markers, in order. */
  bytes: (part: Buffer) => void
  marker: (digits: string, value: string) => void
}

/** Splits a stream at the expected markers, including markers that span chunks. Compares bytes without decoding. */
export function markerScanner(isMarker: (digits: string) => boolean, handlers: MarkerHandlers) {
  let pending = Buffer.alloc(0)

  /** The length of the marker at this position; 0: there is none; null: more bytes are needed. */
  const markerAt = (all: Buffer, at: number): number | null => {
    const piece = all.toString('latin1', at + 1, at + LONGEST_MARKER)
    const [digits = ''] = /^\d*/.exec(piece)!
    if (digits.length === piece.length && piece.length < LONGEST_MARKER - 1) return null
    if (piece.charCodeAt(digits.length) !== MARK || digits.length < MARKER_DIGITS) return 0
    return isMarker(digits.slice(0, MARKER_DIGITS)) ? digits.length + 2 : 0
  }
  return {
    write(chunk: Buffer): void {
      const all = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      pending = Buffer.alloc(0)
      let from = 0
      const passOn = (to: number) => to > from && handlers.bytes(all.subarray(from, to))
      for (let at = all.indexOf(MARK); at !== -1;) {
        const length = markerAt(all, at)
        if (length === null) {
          passOn(at)
          pending = Buffer.from(all.subarray(at))
          return
        }
        if (length > 0) {
          passOn(at)
          const text = all.toString('latin1', at + 1, at + length - 1)
          handlers.marker(text.slice(0, MARKER_DIGITS), text.slice(MARKER_DIGITS))
          from = at + length
        }
        at = all.indexOf(MARK, at + Math.max(length, 1))
      }
      passOn(all.length)
    },
    /** Call when the stream has ended. */
    end(): void {
      if (pending.length > 0) handlers.bytes(pending)
      pending = Buffer.alloc(0)
    },
  }
}
