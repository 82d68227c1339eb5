import { CLASS, DIGIT, LOWER, OTHER, SIGNAL, UNDERSCORE, UPPER } from './character-classes.ts'
import { type KnownNameIndex, knownNameAt } from './people/known-names.ts'
import { streetByEnding } from './places/streets.ts'
import { postcodeAt } from './places/postcodes.ts'
import { BEGINNINGS, foldedIndex } from './secrets/provider-keys.ts'
import { reportEntraSecret, reportShapedKey, readSignal, readWordStart } from './sweep-signs.ts'
import { capitalisedWordAt, applyWordRules } from './sweep-words.ts'
import type { Report } from './types.ts'
import { possessiveAt } from './machines/users-in-messages.ts'
import { hashStep } from './word-table.ts'

/** Character codes of the text, followed by a 0. Most texts share one buffer, because sweeps are never nested. */
const SHARED_LENGTH = 1 << 18
const LOOKAHEAD = 8
const sharedBuffer = Buffer.from(new ArrayBuffer(2 * SHARED_LENGTH + 2 * LOOKAHEAD))
const sharedCodes = new Uint16Array(sharedBuffer.buffer)
function codesOf(text: string): Uint16Array {
  const { length } = text
  if (length < SHARED_LENGTH) {
    sharedBuffer.write(text, 0, 'utf16le')
    sharedCodes[length] = 0
    return sharedCodes
  }
  const bytes = Buffer.from(new ArrayBuffer(2 * length + 2 * LOOKAHEAD))
  bytes.write(text, 0, 'utf16le')
  return new Uint16Array(bytes.buffer)
}

/** One pass over a text that calls the detectors for every position that may start or label a finding. */
export function sweep(text: string, report: Report, known: KnownNameIndex | null): void {
  const length = text.length
  const codes = codesOf(text)
  let searchedTo = 0 // keys, URLs and numbers are not searched before this position
  let at = 0
  while (at < length) {
    const code = codes[at]!
    const kind = code < 128 ? CLASS[code]! : code >= 0xc0 && (code < 0x2000 || code > 0x206f) && code !== 0xff1a ? LOWER : OTHER
    if (kind === OTHER) {
      at += 1
      continue
    }
    if (kind === SIGNAL) {
      at = readSignal(text, at, code, report, searchedTo)
      if (at > searchedTo && code === 58) searchedTo = at
      continue
    }
    // an identifier: letters, digits and underscores; its parts are looked up one by one
    const start = at
    if (start >= searchedTo && (kind === DIGIT || mayStart(codes, start, code, kind))) {
      const end = readWordStart(text, start, code, kind, report)
      if (end > start) {
        searchedTo = Math.max(searchedTo, end)
        if (kind === DIGIT) {
          at = end
          continue
        }
      }
    }
    at = readIdentifier(text, codes, start, report, known)
    if ((at - start >= 28 || (at - start >= 16 && (codes[at] === 45 || codes[start - 1] === 45))) && start >= searchedTo)
      reportShapedKey(text, start, at, report)
    if (codes[at] === 126 && codes[at - 1] === 81) reportEntraSecret(text, at, report)
  }
}

/** Reads the words of an identifier: `dbPassword` and `DB_PASSWORD` both give "db" and "password". Returns its end. */
function readIdentifier(text: string, codes: Uint16Array, start: number, report: Report, known: KnownNameIndex | null): number {
  let at = start
  let hash = 0
  let partStart = start
  let previous = OTHER
  for (;;) {
    let code = codes[at]! // 0 after the end
    if (code >= 97 && code <= 122) {
      if (previous === DIGIT || previous === UNDERSCORE) {
        hash = 0
        partStart = at
      }
      do {
        hash = hashStep(hash, code)
        code = codes[(at += 1)]!
      } while (code >= 97 && code <= 122)
      previous = LOWER
      continue
    }
    if (code >= 48 && code <= 57) {
      if (previous === LOWER || previous === UPPER) {
        applyWordRules(text, partStart, at, hash, report)
        hash = 0
        partStart = at
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
        applyWordRules(text, partStart, at, hash, report)
        hash = 0
        partStart = at
      }
    } else {
      if (kind === UPPER && previous === LOWER) {
        applyWordRules(text, partStart, at, hash, report)
        hash = 0
        partStart = at
      } else if (previous === DIGIT || previous === UNDERSCORE) {
        hash = 0
        partStart = at
      }
      hash = hashStep(hash, code)
    }
    previous = kind
    at += 1
  }
  if ((previous === LOWER || previous === UPPER) && partStart < at) {
    applyWordRules(text, partStart, at, hash, report)
    if (partStart === start && at - start > 1) capitalisedWordAt(text, start, at, report)
    if (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 46 || text.charCodeAt(at) === 44) {
      const next = text.charCodeAt(at + 1)
      const digit = next >= 48 && next <= 57 ? true : next === 32 && text.charCodeAt(at + 2) >= 48 && text.charCodeAt(at + 2) <= 57
      if (digit && at - start >= 5) streetByEnding(text, start, at, report)
    }
  }
  if (previous === DIGIT && at - start > 6 && at - start < 24 && text.charCodeAt(at) === 39) possessiveAt(text, start, at, report)
  if (at - start < 5 && at - start > 1 && text.charCodeAt(at) === 32) postcodeAt(text, start, at, report)
  if (known !== null) {
    const knownName = knownNameAt(known, text, start, at)
    if (knownName !== undefined) report(knownName.type, 'known name', start, knownName.end, 0.9)
  }
  return at
}

/** The first three characters of everything that `readWordStart` accepts, folded. */
const STARTS = BEGINNINGS.slice()
STARTS[foldedIndex(101, 121, 74)] = 1 // eyJ
for (const first of [100, 108]) STARTS.fill(1, foldedIndex(first, 114, 0), foldedIndex(first, 114, 31) + 1) // dr, lr
/** A cheap check whether `readWordStart` may match; true for everything it accepts. */
function mayStart(codes: Uint16Array, at: number, code: number, kind: number): boolean {
  if (code >= 128) return false
  const third = codes[at + 2]!
  if (STARTS[foldedIndex(code, codes[at + 1]!, third)] === 1) return true
  if (kind === UPPER && third >= 48 && third <= 57) return true
  return (code === 102 || code === 70) && (codes[at + 3] === 58 || codes[at + 4] === 58)
}
