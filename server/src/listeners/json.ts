/** JSON from outside. `JSON.parse` accepts any depth; copying to a thread, `JSON.stringify` and our readers do not. */
import { MAX_DEPTH } from './limits.ts'

export class TooDeep extends Error {
  constructor() {
    super(`it is nested deeper than ${MAX_DEPTH} levels`)
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = Buffer.from('"\\[]{}') as unknown as readonly number[]

/** The text of JSON in UTF-8. Throws `TooDeep` before anything parses it. */
export function shallowText(bytes: Buffer): string {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1
    } else if (byte === OPEN || byte === OPEN_LIST) {
      depth += 1
      if (depth > MAX_DEPTH) throw new TooDeep()
    } else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1
  }
  return bytes.toString('utf8')
}
