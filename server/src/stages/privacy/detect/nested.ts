import type { Finding } from './types.ts'

type Inner = (text: string, placeOf: (finding: Finding) => { start: number; end: number }) => void

const BASE64 = /[A-Za-z0-9+/_-]{20,}={0,2}/g
const PERCENT = /%[0-9A-Fa-f]{2}/g
const LONGEST = 200_000

/** Texts inside the text: base64 (a finding covers all of it) and percent-encoded words (a finding keeps its place). */
export function nested(text: string, inner: Inner): void {
  base64(text, inner)
  if (text.includes('%')) percent(text, inner)
}

function base64(text: string, inner: Inner): void {
  for (const match of text.matchAll(BASE64)) {
    const run = match[0]
    if (run.length > LONGEST || !/[a-z]/.test(run) || !/[A-Z]/.test(run)) continue
    const decoded = decode(run)
    if (decoded === null) continue
    const start = match.index
    const end = start + run.length
    inner(decoded, () => ({ start, end }))
  }
}

const BASE64_VALUE = new Int8Array(128).fill(-1)
for (const [index, char] of Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/').entries())
  BASE64_VALUE[char.charCodeAt(0)] = index
BASE64_VALUE[45] = 62
BASE64_VALUE[95] = 63

/** The text that base64 holds, or null: its first twelve bytes are looked at before the rest is decoded. */
function decode(run: string): string | null {
  for (let at = 0; at < 16; at += 4) {
    const bits =
      (BASE64_VALUE[run.charCodeAt(at)]! << 18) |
      (BASE64_VALUE[run.charCodeAt(at + 1)]! << 12) |
      (BASE64_VALUE[run.charCodeAt(at + 2)]! << 6) |
      BASE64_VALUE[run.charCodeAt(at + 3)]!
    if (!isText((bits >> 16) & 255) || !isText((bits >> 8) & 255) || !isText(bits & 255)) return null
  }
  const decoded = Buffer.from(run, 'base64').toString('utf8')
  let odd = 0
  for (let at = 0; at < decoded.length; at += 1) {
    const code = decoded.charCodeAt(at)
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13)) odd += 1
    if (odd > 2) return null
  }
  return decoded
}

const isText = (byte: number) => (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9 || byte >= 0xc2

const WORD_END = /[\s"'<>`|]/
function percent(text: string, inner: Inner): void {
  let done = 0
  for (const match of text.matchAll(PERCENT)) {
    if (match.index < done) continue
    let start = match.index
    while (start > done && match.index - start < 2000 && !WORD_END.test(text[start - 1]!)) start -= 1
    let end = match.index + 3
    while (end < text.length && end - start < 4000 && !WORD_END.test(text[end]!)) end += 1
    done = end
    const { decoded, places } = decodePercent(text.slice(start, end))
    if (decoded !== null) inner(decoded, (finding) => ({ start: start + places[finding.start]!, end: start + places[finding.end]! }))
  }
}

/** Decoded text with, for each of its places, the place in the encoded one. */
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
