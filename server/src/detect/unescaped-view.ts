import { lookup } from '#contracts/lookup.ts'
import { matchAt } from './match-at.ts'

/**
 * A text with JSON escapes resolved at any depth and ANSI codes removed. Detectors read the view; `start` and `end` map
 * positions in it to the original text.
 */
export interface View {
  text: string
  /** The position in the original. `end` gives the end of the preceding character. */
  start(at: number): number
  end(at: number): number
}

const ESC = '\u001B'
const SINGLE: Record<string, string> = lookup({
  n: '\n',
  r: '\n',
  t: '\t',
  b: ' ',
  f: ' ',
  '"': '"',
  "'": "'",
  '/': '/',
  '`': '`',
  '\n': '',
})
const BELL = '\u0007'
const CSI = '\u009B'
/** CSI, OSC and two-character sequences. The escape character may be written out (`\u001b[`, `\x1b[`, `\033[`, `\e[`). */
const ANSI = new RegExp(
  String.raw`(?:${ESC}|${CSI}|\\+(?:u001[bB]|x1[bB]|033|e(?=\[)))(?:\[[0-9;:?]{0,40}[ -/]{0,4}[@-~]|\][^${BELL}${ESC}\n]{0,2000}(?:${BELL}|${ESC}\\)|[@-Z\\^_])?`,
  'y',
)
const STOP = new RegExp(String.raw`[\\${ESC}${CSI}]`, 'g')
/** First characters after the backslashes of a written-out escape. */
const ESCAPE_LETTERS = new Uint8Array(128)
for (const char of 'ux0e') ESCAPE_LETTERS[char.charCodeAt(0)] = 1
const WINDOWS_DRIVE = /(?:^|[^A-Za-z0-9])[A-Za-z]:$/
const PATH_PART = /^[\w .()@~+-]*$/

const BEFORE_SHARE = /[\s"'`(=:,]/
const SHARE = /^[\w.$?-]{2,60}(\\+)[\w.$ -]{1,60}\\/

const samePosition = (at: number) => at

export function viewOf(text: string): View {
  if (!text.includes('\\') && !text.includes(ESC) && !text.includes(CSI)) return { text, start: samePosition, end: samePosition }
  const parts: string[] = []
  let points = new Int32Array(3 * 256) // breakpoints, three numbers each: view, original and end
  let count = 1
  const addBreakpoint = (view: number, original: number, end: number) => {
    if (3 * count === points.length) {
      const wider = new Int32Array(2 * points.length)
      wider.set(points)
      points = wider
    }
    // from `view` on, a position in the original is `original` + distance; `end` is the original end of the preceding character
    points[3 * count] = view
    points[3 * count + 1] = original
    points[3 * count + 2] = end
    count += 1
  }
  let length = 0
  let copied = 0
  let path = null as { slashes: number; end: number } | null
  const stop = new RegExp(STOP)
  const replaceRange = (from: number, to: number, replacement: string) => {
    if (from > copied) parts.push(text.slice(copied, from))
    length += from - copied
    if (replacement !== '') {
      parts.push(replacement)
      addBreakpoint(length, from, from)
    }
    length += replacement.length
    addBreakpoint(length, to, replacement === '' ? from : to)
    copied = to
  }
  const hasControls = text.includes(ESC) || text.includes(CSI)
  const nextEscape = (from: number) => {
    if (!hasControls) return text.indexOf('\\', from)
    return matchAt(stop, text, from)?.index ?? -1
  }
  for (let at = nextEscape(0); at >= 0; at = nextEscape(copied)) {
    let end = at + 1
    while (text.charCodeAt(end) === 92) end += 1
    if (hasControls || ESCAPE_LETTERS[text.charCodeAt(end)] === 1) {
      const ansi = matchAt(ANSI, text, at)
      if (ansi) {
        replaceRange(at, at + ansi[0].length, '')
        continue
      }
    }
    const slashes = end - at
    const inPath =
      (path?.slashes === slashes && at - path.end < 100 && PATH_PART.test(text.slice(path.end, at))) ||
      (at >= 2 && text.charCodeAt(at - 1) === 58 && WINDOWS_DRIVE.test(text.slice(Math.max(0, at - 3), at)))
    if (inPath) {
      path = { slashes, end }
      replaceRange(at, end, '\\')
      continue
    }
    // a share: `\\\\server\\folder`, with twice as many backslashes at its start
    const share: RegExpExecArray | null =
      slashes % 2 === 0 && BEFORE_SHARE.test(text[at - 1] ?? ' ') ? SHARE.exec(text.slice(end, end + 140)) : null
    if (share !== null && share[1]!.length * 2 === slashes) {
      path = { slashes: slashes / 2, end: end + share[0].indexOf('\\') }
      replaceRange(at, end, '\\')
      continue
    }
    path = null
    const escaped = text[end] ?? ''
    const single = SINGLE[escaped]
    if (single !== undefined) replaceRange(at, end + 1, single)
    else if (escaped === 'u' && isHex(text, end + 1, 4))
      replaceRange(at, end + 5, String.fromCharCode(Number.parseInt(text.slice(end + 1, end + 5), 16)))
    else if (escaped === 'x' && isHex(text, end + 1, 2))
      replaceRange(at, end + 3, String.fromCharCode(Number.parseInt(text.slice(end + 1, end + 3), 16)))
    else replaceRange(at, end, '\\')
  }
  if (copied < text.length) parts.push(text.slice(copied))
  const breakpointAt = (at: number) => {
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (points[3 * middle]! <= at) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    text: parts.join(''),
    start(at) {
      const index = 3 * breakpointAt(at)
      return points[index + 1]! + at - points[index]!
    },
    end(at) {
      // the first breakpoint at this position, because text removed after it is not part of the finding
      let index = breakpointAt(at)
      while (index > 0 && points[3 * (index - 1)] === at) index -= 1
      index *= 3
      return points[index] === at ? points[index + 2]! : points[index + 1]! + at - points[index]!
    },
  }
}

function isHex(text: string, at: number, count: number): boolean {
  if (at + count > text.length) return false
  for (let index = at; index < at + count; index += 1) {
    const code = text.charCodeAt(index) | 32
    if (!((code >= 48 && code <= 57) || (code >= 97 && code <= 102))) return false
  }
  return true
}
