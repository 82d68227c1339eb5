import type { Finding } from '../types.ts'

type ScanInner = (text: string, placeOf: (finding: Finding) => { start: number; end: number }) => void

/** Minimum length of base64 that is decoded. */
const SHORTEST = 20
const PERCENT = /%[0-9A-Fa-f]{2}/g
const LONGEST = 200_000

/** Scans base64 (a finding covers the whole run) and percent-encoded words (a finding keeps its position). */
export function scanEncoded(text: string, scanInner: ScanInner): void {
  scanBase64(text, scanInner)
  if (text.includes('%')) scanPercentEncoded(text, scanInner)
}

function scanBase64(text: string, scanInner: ScanInner): void {
  let at = SHORTEST - 1
  while (at < text.length) {
    // every run of SHORTEST characters contains one of the checked positions
    if (!isBase64(text.charCodeAt(at))) {
      at += SHORTEST
      continue
    }
    let start = at
    const floor = at - SHORTEST
    while (start > 0 && start > floor && isBase64(text.charCodeAt(start - 1))) start -= 1
    // most runs are words and end before the minimum length
    if (!isBase64(text.charCodeAt(start + SHORTEST - 1))) {
      at = start + 2 * SHORTEST - 1
      continue
    }
    let end = at + 1
    while (end < text.length && isBase64(text.charCodeAt(end))) end += 1
    at = end + SHORTEST
    const size = end - start
    if (size < SHORTEST || size > LONGEST) continue
    if (!beginsAsText(text, start)) continue
    const run = text.slice(start, end)
    const decoded = /[a-z]/.test(run) && /[A-Z]/.test(run) ? decode(run) : null
    if (decoded === null) continue
    for (let padding = 0; padding < 2 && text.charCodeAt(end) === 61; padding += 1) end += 1
    const place = { start, end }
    scanInner(decoded, () => place)
  }
}

const BASE64_VALUE = new Int8Array(128).fill(-1)
for (const [index, char] of Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/').entries())
  BASE64_VALUE[char.charCodeAt(0)] = index
BASE64_VALUE[45] = 62
BASE64_VALUE[95] = 63

const isBase64 = (code: number) => code < 128 && BASE64_VALUE[code]! >= 0

/** Whether the first twelve bytes of the base64 at `start` decode to text. */
function beginsAsText(text: string, start: number): boolean {
  for (let at = start; at < start + 16; at += 4) {
    const bits =
      (BASE64_VALUE[text.charCodeAt(at)]! << 18) |
      (BASE64_VALUE[text.charCodeAt(at + 1)]! << 12) |
      (BASE64_VALUE[text.charCodeAt(at + 2)]! << 6) |
      BASE64_VALUE[text.charCodeAt(at + 3)]!
    if (!isText((bits >> 16) & 255) || !isText((bits >> 8) & 255) || !isText(bits & 255)) return false
  }
  return true
}

/** The text in base64, or null. */
function decode(run: string): string | null {
  const decoded = Buffer.from(run, 'base64').toString('utf8')
  let oddCount = 0
  for (let at = 0; at < decoded.length; at += 1) {
    const code = decoded.charCodeAt(at)
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13)) oddCount += 1
    if (oddCount > 2) return null
  }
  return decoded
}

const isText = (byte: number) => (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9 || byte >= 0xc2

const WORD_END = /[\s"'<>`|]/
function scanPercentEncoded(text: string, scanInner: ScanInner): void {
  let scannedTo = 0
  for (const match of text.matchAll(PERCENT)) {
    if (match.index < scannedTo) continue
    let start = match.index
    while (start > scannedTo && match.index - start < 2000 && !WORD_END.test(text[start - 1]!)) start -= 1
    let end = match.index + 3
    while (end < text.length && end - start < 4000 && !WORD_END.test(text[end]!)) end += 1
    scannedTo = end
    const { decoded, places } = decodePercent(text.slice(start, end))
    if (decoded !== null) scanInner(decoded, (finding) => ({ start: start + places[finding.start]!, end: start + places[finding.end]! }))
  }
}

/** The decoded text, and for each of its characters the position in the encoded text. */
function decodePercent(word: string): { decoded: string | null; places: number[] } {
  const places: number[] = []
  let decoded = ''
  for (let at = 0; at < word.length;) {
    const run = word[at] === '%' ? /^(?:%[0-9A-Fa-f]{2})+/.exec(word.slice(at, at + 300))?.[0] : undefined
    if (run === undefined) {
      places.push(at)
      decoded += word[at]
      at += 1
      continue
    }
    let part: string
    try {
      part = decodeURIComponent(run)
    } catch {
      return { decoded: null, places }
    }
    let from = at
    for (const char of part) {
      for (let unit = 0; unit < char.length; unit += 1) places.push(from)
      from += 3 * Buffer.byteLength(char)
    }
    decoded += part
    at += run.length
  }
  places.push(word.length)
  return { decoded, places }
}
