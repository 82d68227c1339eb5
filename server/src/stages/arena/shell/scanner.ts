import { MARK, MARKER_DIGITS } from './protocol.ts'

/** A status has at most three digits. */
const LONGEST = 1 + MARKER_DIGITS + 3 + 1

interface Found {
  /** What is not part of a marker, in order. */
  bytes: (part: Buffer) => void
  marker: (digits: string, value: string) => void
}

/** Splits a stream at the markers that are looked for, wherever a chunk ends. Compares bytes; decodes nothing. */
export function markerScanner(isMarker: (digits: string) => boolean, found: Found) {
  let rest = Buffer.alloc(0)

  /** The length of a marker at this place; 0: there is none; null: more bytes are needed to know. */
  const markerAt = (all: Buffer, at: number): number | null => {
    const piece = all.toString('latin1', at + 1, at + LONGEST)
    const [digits = ''] = /^\d*/.exec(piece)!
    if (digits.length === piece.length && piece.length < LONGEST - 1) return null
    if (piece.charCodeAt(digits.length) !== MARK || digits.length < MARKER_DIGITS) return 0
    return isMarker(digits.slice(0, MARKER_DIGITS)) ? digits.length + 2 : 0
  }
  return {
    write(chunk: Buffer): void {
      const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      rest = Buffer.alloc(0)
      let from = 0
      const hand = (to: number) => to > from && found.bytes(all.subarray(from, to))
      for (let at = all.indexOf(MARK); at !== -1;) {
        const length = markerAt(all, at)
        if (length === null) {
          hand(at)
          rest = Buffer.from(all.subarray(at))
          return
        }
        if (length > 0) {
          hand(at)
          const text = all.toString('latin1', at + 1, at + length - 1)
          found.marker(text.slice(0, MARKER_DIGITS), text.slice(MARKER_DIGITS))
          from = at + length
        }
        at = all.indexOf(MARK, at + Math.max(length, 1))
      }
      hand(all.length)
    },
    /** The stream has ended. */
    end(): void {
      if (rest.length > 0) found.bytes(rest)
      rest = Buffer.alloc(0)
    },
  }
}
