import { CLASS, DIGIT, LOWER, OTHER, SIGNAL, UNDERSCORE, UPPER } from './character-classes.ts'
import { type Known, knownAt } from './own-names.ts'
import { streetEnding } from './streets.ts'
import { postcodeAt } from './postcodes.ts'
import { BEGINNINGS, folded } from './provider-keys.ts'
import { shaped, signal, wordStart } from './sweep-signs.ts'
import { named, word } from './sweep-words.ts'
import type { Report } from './types.ts'
import { ownedAt } from './users-in-messages.ts'
import { step } from './word-table.ts'

/** Character codes of the text, followed by a 0. Most texts share one buffer: sweeps are never nested. */
const KEPT = 1 << 18
const LOOKED_AHEAD = 8
const sharedBuffer = Buffer.from(new ArrayBuffer(2 * KEPT + 2 * LOOKED_AHEAD))
const sharedCodes = new Uint16Array(sharedBuffer.buffer)
function codesOf(text: string): Uint16Array {
  const { length } = text
  if (length < KEPT) {
    sharedBuffer.write(text, 0, 'utf16le')
    sharedCodes[length] = 0
    return sharedCodes
  }
  const bytes = Buffer.from(new ArrayBuffer(2 * length + 2 * LOOKED_AHEAD))
  bytes.write(text, 0, 'utf16le')
  return new Uint16Array(bytes.buffer)
}

/** One pass over a text: every position that may start or label a finding goes to its detector. */
export function sweep(text: string, report: Report, known: Known | null): void {
  const length = text.length
  const codes = codesOf(text)
  let done = 0 // nothing before this position is searched again for keys, URLs and numbers
  let at = 0
  while (at < length) {
    const code = codes[at]!
    const kind = code < 128 ? CLASS[code]! : code >= 0xc0 && (code < 0x2000 || code > 0x206f) && code !== 0xff1a ? LOWER : OTHER
    if (kind === OTHER) {
      at += 1
      continue
    }
    if (kind === SIGNAL) {
      at = signal(text, at, code, report, done)
      if (at > done && code === 58) done = at
      continue
    }
    // an identifier: letters, digits and underscores; its parts are looked up one by one
    const start = at
    if (start >= done && (kind === DIGIT || mayStart(codes, start, code, kind))) {
      const end = wordStart(text, start, code, kind, report)
      if (end > start) {
        done = Math.max(done, end)
        if (kind === DIGIT) {
          at = end
          continue
        }
      }
    }
    at = parts(text, codes, start, report, known)
    if (at - start >= 28 && start >= done) shaped(text, start, at, report)
  }
}

/** Parts of an identifier: `dbPassword` and `DB_PASSWORD` both give "db" and "password". Returns where the identifier ends. */
function parts(text: string, codes: Uint16Array, start: number, report: Report, known: Known | null): number {
  let at = start
  let hash = 0
  let part = start
  let previous = OTHER
  for (;;) {
    let code = codes[at]! // 0 after the end
    if (code >= 97 && code <= 122) {
      if (previous === DIGIT || previous === UNDERSCORE) {
        hash = 0
        part = at
      }
      do {
        hash = step(hash, code)
        code = codes[(at += 1)]!
      } while (code >= 97 && code <= 122)
      previous = LOWER
      continue
    }
    if (code >= 48 && code <= 57) {
      if (previous === LOWER || previous === UPPER) {
        word(text, part, at, hash, report)
        hash = 0
        part = at
      }
      do code = codes[(at += 1)]!
      while (code >= 48 && code <= 57)
      previous = DIGIT
      continue
    }
    let kind: number
    if (code < 128) {
      kind = CLASS[code]!
      if (kind === OTHER || kind === SIGNAL) break
      code |= 32
    } else if (code >= 0xc0 && !(code >= 0x2000 && code <= 0x206f) && code !== 0xff1a) {
      kind = LOWER
      if (code <= 0xde) {
        kind = UPPER
        code += 32
      }
    } else break
    if (kind === UNDERSCORE) {
      if (previous === LOWER || previous === UPPER) {
        word(text, part, at, hash, report)
        hash = 0
        part = at
      }
    } else {
      if (kind === UPPER && previous === LOWER) {
        word(text, part, at, hash, report)
        hash = 0
        part = at
      } else if (previous === DIGIT || previous === UNDERSCORE) {
        hash = 0
        part = at
      }
      hash = step(hash, code)
    }
    previous = kind
    at += 1
  }
  if ((previous === LOWER || previous === UPPER) && part < at) {
    word(text, part, at, hash, report)
    if (part === start && at - start > 1) named(text, start, at, report)
    if (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 46 || text.charCodeAt(at) === 44) {
      const next = text.charCodeAt(at + 1)
      const digit = next >= 48 && next <= 57 ? true : next === 32 && text.charCodeAt(at + 2) >= 48 && text.charCodeAt(at + 2) <= 57
      if (digit && at - start >= 5) streetEnding(text, start, at, report)
    }
  }
  if (previous === DIGIT && at - start > 6 && at - start < 24 && text.charCodeAt(at) === 39) ownedAt(text, start, at, report)
  if (at - start < 5 && at - start > 1 && text.charCodeAt(at) === 32) postcodeAt(text, start, at, report)
  if (known !== null) {
    const name = knownAt(known, text, start, at)
    if (name !== undefined) report(name.type, 'known name', start, name.end, 0.9)
  }
  return at
}

/** First three characters of what `wordStart` accepts, folded. */
const STARTS = BEGINNINGS.slice()
STARTS[folded(101, 121, 74)] = 1 // eyJ
for (const first of [100, 108]) STARTS.fill(1, folded(first, 114, 0), folded(first, 114, 31) + 1) // dr, lr
/** Whether `wordStart` may match; never false for something it accepts. */
function mayStart(codes: Uint16Array, at: number, code: number, kind: number): boolean {
  if (code >= 128) return false
  const third = codes[at + 2]!
  if (STARTS[folded(code, codes[at + 1]!, third)] === 1) return true
  if (kind === UPPER && third >= 48 && third <= 57) return true
  return (code === 102 || code === 70) && (codes[at + 3] === 58 || codes[at + 4] === 58)
}
