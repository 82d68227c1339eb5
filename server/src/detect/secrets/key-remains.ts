import { entropyOf } from './placeholders.ts'
import { lineStart } from '../lines.ts'
import type { Report } from '../types.ts'

/** What is left of a private key whose first lines, or first and last lines, were cut off. */

/** Line lengths of PEM and PGP, and of OpenSSH. Other base64 has longer lines. */
const isKeyLine = (length: number) => length === 64 || length === 70
const MIN_LINES = 2
const BEFORE = /^[\s"'+>|*#/-]{0,12}/
const LAST_LINE = /^[\s"'+>|*#/-]{0,12}[A-Za-z0-9+/]{1,100}={0,2}["'\\,+\s]{0,8}$/
const BODY_LINE = /^[\s"'+>|*#/-]{0,12}[A-Za-z0-9+/]{40,100}={0,2}["'\\,+\s]{0,8}$/
const PRIVATE_END = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/y
/** Longest key body. */
const MAX_CHARS = 20_000
const LONGEST_LINE = 200

/** The lines before `-----END … PRIVATE KEY-----`, which is at `at`; its first line is missing. Returns the end, or null. */
export function keyTailAt(text: string, at: number, report: Report): number | null {
  PRIVATE_END.lastIndex = at
  const match = PRIVATE_END.exec(text)
  if (match === null) return null
  const floor = Math.max(0, at - MAX_CHARS)
  let start = at
  let form = LAST_LINE
  let next = lineStart(text, at, LONGEST_LINE)
  while (next > floor && text[next - 1] === '\n') {
    const from = lineStart(text, next - 1, LONGEST_LINE)
    const line = text.slice(from, next - 1)
    next = from
    if (/^["'\s+,\\]{0,20}$/.test(line) && line.trim() !== '') continue // a string ends and another one begins
    if (!form.test(line)) break
    start = from + BEFORE.exec(line)![0].length
    form = BODY_LINE
  }
  const end = at + match[0].length
  if (new Set(text.slice(start, at)).size >= 8) report('private_key', 'rest of a key', start, end, 0.95)
  return end
}

const OTHER_BLOCK = /-----(?:BEGIN|END) (?![^\n-]*PRIVATE KEY)[^\n-]{3,40}-----/
/** How far before and after a run its first and last line may be. */
const NEAR = 200

interface Run {
  start: number
  end: number
  /** Of each line. */
  length: number
  lines: number
}

/** Runs of lines that look like the middle of a key: base64 of one length and nothing else. */
export function reportKeyRemains(text: string, report: Report): void {
  let from = 0
  let nextEnd = -1
  let run = null as Run | null
  let blockEnd = -1
  const close = () => {
    if (run !== null && run.lines >= MIN_LINES && isKeyMaterial(text, run)) report('private_key', 'rest of a key', run.start, run.end, 0.7)
    run = null
  }
  while (from < text.length) {
    const newline = text.indexOf('\n', from)
    const lineEnd = newline < 0 ? text.length : newline
    const body = lineEnd - from >= 64 && lineEnd - from <= 100 && from >= blockEnd ? bodyOf(text, from, lineEnd) : null
    if (run !== null && (body === null || body.end - body.start !== run.length)) close()
    if (body !== null)
      run =
        run === null
          ? { start: body.start, end: body.end, length: body.end - body.start, lines: 1 }
          : { ...run, end: body.end, lines: run.lines + 1 }
    // a whole block is no remains: certificates, public keys, messages
    if (text.startsWith('-----BEGIN ', from)) {
      if (nextEnd < from) nextEnd = text.indexOf('-----END ', from)
      if (nextEnd < 0) nextEnd = Infinity
      blockEnd = nextEnd === Infinity ? lineEnd : nextEnd
    }
    from = lineEnd + 1
  }
  close()
}

function bodyOf(text: string, from: number, to: number): { start: number; end: number } | null {
  let start = from
  let end = to
  while (start < end && /[\s"']/.test(text[start]!)) start += 1
  while (end > start && /[\s"',\\+]/.test(text[end - 1]!) && !isKeyLine(end - start)) end -= 1
  if (!isKeyLine(end - start)) return null
  for (let at = start; at < end; at += 1) if (!isBase64(text.charCodeAt(at))) return null
  return { start, end }
}

const isBase64 = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 43 || code === 47

/** Names in a certificate (2.5.4.x) and its extensions (2.5.29.x). */
const CERTIFICATE = ['\u0006\u0003\u0055\u0004', '\u0006\u0003\u0055\u001D']
const WORDS = /[\x20-\x7E]{10}/

function isKeyMaterial(text: string, { start, end, length }: Run): boolean {
  const body = text.slice(start, Math.min(end, start + 10 * 80))
  const letters = body.replaceAll(/[^A-Za-z0-9+/]/g, '')
  if (!/[a-z]/.test(letters) || !/[A-Z]/.test(letters) || !/\d/.test(letters) || entropyOf(letters) < 5) return false
  if (OTHER_BLOCK.test(text.slice(Math.max(0, start - NEAR), start)) || OTHER_BLOCK.test(text.slice(end, end + NEAR + length))) return false
  // a cut may be inside a group of four
  for (let cut = 0; cut < 4; cut += 1) {
    const bytes = Buffer.from(letters.slice(cut), 'base64').toString('latin1')
    if (CERTIFICATE.some((id) => bytes.includes(id)) || WORDS.test(bytes)) return false
  }
  return true
}
