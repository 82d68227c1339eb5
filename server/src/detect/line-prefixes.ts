import { matchAt } from './match-at.ts'

/**
 * What tools write before each line of a text: line numbers (Read, `cat -n`, `grep -n`, `bat`), file names, blame, marks of
 * a diff or a quotation, times and names of a log. They hide values that span lines, so texts are also read without them.
 */

/** A text without prefixes; positions in it are mapped to the text it was made from. */
interface Unprefixed {
  text: string
  start(at: number): number
  end(at: number): number
}

interface Prefix {
  end: number
  /** Equal for the lines of a block. */
  key: string
  /** The number of the line; null if it has none. */
  line: number | null
  /** Whether line numbers must follow each other, because other texts have increasing numbers in this form. */
  isStrict: boolean
}
type PrefixAt = (text: string, at: number) => Prefix | null

/** A line of a block: its start, and the end of its prefix. */
interface Line {
  from: number
  to: number
}

/** Line numbers that only a tool writes; the text is read without them instead of twice. */
const COUNTED = /[ \t]{0,10}(\d{1,7})(→|\t)/y
const NUMBERED = /[ \t]{0,10}(?:> {0,8})?(\d{1,7})( ?[│┃|⎢] ?|[:-] ?)|[ \t]{2,10}(\d{1,7}) {1,2}/y
/** `12:30`, `12-11`: a time or a range. */
const TWO_NUMBERS = /\d{1,4}[:-]\d\d(?!\d)/y
const PATHED = /((?:[A-Za-z]:[\\/])?(?:[\w^~/-]{1,40}:)?[^\s:"'`<>|()=,;{}]{1,200})(?::(\d{1,7})[:-](?:\d{1,5}:)?|-(\d{1,7})-)/y
const FILE = /((?:[A-Za-z]:[\\/])?[^\s:"'`<>|()=,;{}]{3,200}):/y
const BLAME = /\^?[0-9a-f]{7,40} (?:[^\s(]{1,200} {1,80})?\([^()\n]{1,80}?\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d [+-]\d{4})? {1,9}(\d{1,7})\) ?/y
/** A time, and the names and levels after it. */
const TIME =
  /(?:[^\t\n]{1,80}\t[^\t\n]{1,80}\t)?[[(]?(?:\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d:\d\d)?|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|1\d{9}(?:\d{3})?(?=[\s.\])]))(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?[\])]?(?:: |[ \t:]|$)(?:- )?/my
const AFTER_TIME =
  /[ \t]{0,3}(?:[\w.-]{1,60} -(?= (?:TRACE|DEBUG|INFO|NOTICE|WARN|ERROR|CRITICAL|FATAL))|(?:[\w.-]{1,60} )?[\w./-]{1,60}\[\d{1,8}\]:?|\[[^\]\n]{1,60}\]|<\d{1,3}>|std(?:out|err)(?: [FP])?|(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL|trace|debug|info|notice|warn(?:ing)?|error|fatal):?|[\w-]{1,40}(?:\.[\w-]{1,40}){1,6}:)[ \t](?:[-:|] )?/y
/** `web-1  | …`, `[web] …`, `web:build: …`, `INFO:app:…`, `#12 0.345 …`. */
const SOURCE =
  /[\w./@-]{1,60} {0,30}\| ?|\[[^\]\n]{1,80}\][ :]{0,2}|[\w@./-]{1,60}:[\w-]{1,40}: |(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL)(?:: ?|[ -]{1,3})(?:[\w.-]{1,60}: ?)?|#\d{1,4} (?:\d{1,5}\.\d{1,5} )?/y
const QUOTED = />[> ]{0,6}(?=[^>\s])|< /y
const MARK = /[+-](?![+-]{2} )/y

const MAX_WORD = 200

const isDigit = (code: number) => code >= 48 && code <= 57

const isHex = (code: number) => isDigit(code) || (code >= 97 && code <= 102)

const countedAt: PrefixAt = (text, at) => {
  const match = matchAt(COUNTED, text, at)
  return match === null ? null : { end: at + match[0].length, key: match[2]!, line: Number(match[1]), isStrict: match[2] === '\t' }
}

const numberedAt: PrefixAt = (text, at) => {
  let first = at
  while (first - at < 11 && (text.charCodeAt(first) === 32 || text.charCodeAt(first) === 9)) first += 1
  if (!isDigit(text.charCodeAt(first)) && text.charCodeAt(first) !== 62) return null
  const counted = countedAt(text, at)
  if (counted !== null) return counted
  const match = matchAt(NUMBERED, text, at)
  if (match === null || (first === at && matchAt(TWO_NUMBERS, text, at) !== null)) return null
  const sign = match[2]?.trim()
  const key = sign === undefined ? ' ' : sign === ':' || sign === '-' ? ':' : '|'
  return { end: at + match[0].length, key, line: Number(match[1] ?? match[3]), isStrict: key === ' ' }
}

const blamedAt: PrefixAt = (text, at) => {
  if (!isHex(text.charCodeAt(at + 1)) || !isHex(text.charCodeAt(at + 6))) return null
  const match = matchAt(BLAME, text, at)
  return match === null ? null : { end: at + match[0].length, key: 'blame', line: Number(match[1]), isStrict: false }
}

const loggedAt: PrefixAt = (text, at) => {
  if (!mayHaveTime(text, at)) return null
  const time = matchAt(TIME, text, at)
  if (time === null) return null
  let end = at + time[0].length
  for (let count = 0; count < 4; count += 1) {
    const part = matchAt(AFTER_TIME, text, end)
    if (part === null) break
    end += part[0].length
  }
  return { end, key: 'time', line: null, isStrict: false }
}

/** Whether a time may begin here, or after two columns. */
function mayHaveTime(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (isDigit(code) || code === 91 || code === 40) return true
  if (code >= 65 && code <= 90 && text.charCodeAt(at + 3) === 32) return true
  for (let tabs = 0, end = at; tabs < 2 && end - at < MAX_WORD; end += 1) {
    const next = text.charCodeAt(end)
    if (!(next > 31)) {
      if (next !== 9) return false
      tabs += 1
      if (tabs === 2) return isDigit(text.charCodeAt(end + 1))
    }
  }
  return false
}

/** The name of a file, a container or a program, with or without a line number. */
const namedAt: PrefixAt = (text, at) => {
  let end = at
  let hasNumber = false
  let isPath = false
  for (; end - at < MAX_WORD; end += 1) {
    const code = text.charCodeAt(end)
    if (!(code > 32) || (code === 58 && end - at > 1)) break
    if (code === 45 && isDigit(text.charCodeAt(end + 1))) hasNumber = true
    else if (code === 47 || code === 46 || code === 92) isPath = true
  }
  const code = text.charCodeAt(at)
  const hasColon = text.charCodeAt(end) === 58
  if (hasNumber || (hasColon && (isDigit(text.charCodeAt(end + 1)) || isPath || code === 72))) {
    const path = matchAt(PATHED, text, at)
    if (path !== null) return { end: at + path[0].length, key: path[1]!, line: Number(path[2] ?? path[3]), isStrict: false }
  }
  let bar = end
  while (bar - end < 31 && text.charCodeAt(bar) === 32) bar += 1
  if (
    hasColon ||
    code === 91 ||
    code === 35 ||
    (code >= 65 && code <= 90) ||
    text.charCodeAt(bar) === 124 ||
    text.charCodeAt(end - 1) === 124
  ) {
    const source = matchAt(SOURCE, text, at)
    if (source !== null) return { end: at + source[0].length, key: source[0].replaceAll(/\d+/g, '0').trim(), line: null, isStrict: false }
  }
  const file = hasColon && isPath ? matchAt(FILE, text, at) : null
  return file === null ? null : { end: at + file[0].length, key: file[1]!, line: null, isStrict: false }
}

const signAt =
  (sign: RegExp): PrefixAt =>
  (text, at) => {
    const match = matchAt(sign, text, at)
    return match === null ? null : { end: at + match[0].length, key: match[0].trim(), line: null, isStrict: false }
  }
const markedAt = signAt(MARK)
const quotedAt = signAt(QUOTED)

/** Any prefix. */
const otherPrefix =
  (isDiff: boolean): PrefixAt =>
  (text, at) => {
    const code = text.charCodeAt(at)
    if (code === 32 || code === 9) return numberedAt(text, at)
    if (code === 43 || code === 45) return isDiff ? markedAt(text, at) : null
    if (code === 62 || code === 60) return (code === 62 ? numberedAt(text, at) : null) ?? quotedAt(text, at)
    if (isDigit(code)) return loggedAt(text, at) ?? numberedAt(text, at) ?? blamedAt(text, at) ?? namedAt(text, at)
    return (((code >= 97 && code <= 102) || code === 94) && blamedAt(text, at)) || (loggedAt(text, at) ?? namedAt(text, at))
  }

/** Whether a line belongs to the block of the line before it. */
const continues = (before: Prefix, next: Prefix) =>
  before.key === next.key &&
  (before.line === null || next.line === null || (before.isStrict ? next.line === before.line + 1 : next.line > before.line))

/** Two or more lines in a row with the same prefix. */
function blocksIn(text: string, prefixAt: PrefixAt): Line[][] {
  const blocks: Line[][] = []
  let block: Line[] = []
  let before: Prefix | null = null
  const close = () => {
    if (block.length > 1) blocks.push(block)
    block = []
  }
  for (let from = 0; from < text.length;) {
    const prefix = text.charCodeAt(from) === 10 ? null : prefixAt(text, from)
    if (before === null || prefix === null || !continues(before, prefix)) {
      close()
      const first = prefix === null ? null : firstInString(text, from, prefix, prefixAt)
      if (first !== null) block.push(first)
    }
    if (prefix !== null) block.push({ from, to: prefix.end })
    before = prefix
    const newline = text.indexOf('\n', from)
    from = newline < 0 ? text.length : newline + 1
  }
  close()
  return blocks
}

/** The first line of a text that begins inside a string of the line before: `{"content": "     1→…`. */
function firstInString(text: string, lineStart: number, next: Prefix, prefixAt: PrefixAt): Line | null {
  const before = text.slice(Math.max(0, lineStart - LONGEST_FIRST_LINE), Math.max(0, lineStart - 1))
  const line = before.slice(before.lastIndexOf('\n') + 1)
  for (let quote = line.indexOf('"'), count = 0; quote >= 0 && count < 8; quote = line.indexOf('"', quote + 1), count += 1) {
    const from = lineStart - 1 - line.length + quote + 1
    const prefix = prefixAt(text, from)
    if (prefix !== null && continues(prefix, next)) return { from, to: prefix.end }
  }
  return null
}
const LONGEST_FIRST_LINE = 2000

interface Part {
  start: number
  end: number
  /** Written after the part. */
  after: string
}

/** Joins parts of a text, which are sorted and do not overlap. */
function joined(text: string, parts: readonly Part[]): Unprefixed {
  const pieces: string[] = []
  const places: number[] = []
  let length = 0
  for (const { start, end, after } of parts) {
    places.push(length)
    pieces.push(text.slice(start, end), after)
    length += end - start + after.length
  }
  const start = (at: number) => {
    let low = 0
    let high = places.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (places[middle]! <= at) low = middle
      else high = middle - 1
    }
    const part = parts[low]!
    return Math.min(part.start + at - places[low]!, part.end)
  }
  return { text: pieces.join(''), start, end: (at) => (at === 0 ? start(0) : start(at - 1) + 1) }
}

/** The text without the line numbers that only a tool writes (`12→`, `12⇥` on lines that follow each other); null if it has none. */
export function withoutLineNumbers(text: string): Unprefixed | null {
  if (!/\d[→\t]/.test(text)) return null
  const parts: Part[] = []
  let from = 0
  for (const lines of blocksIn(text, countedAt)) {
    if (isTable(text, lines)) continue
    for (const line of lines) {
      parts.push({ start: from, end: line.from, after: '' })
      from = line.to
    }
  }
  if (parts.length === 0) return null
  parts.push({ start: from, end: text.length, after: '' })
  return joined(text, parts)
}

/** Whether numbers before tabs may be the first column of a table; such lines are read both ways. */
const isTable = (text: string, lines: readonly Line[]) =>
  text[lines[0]!.to - 1] === '\t' && lines.every(({ to }) => TAB_IN_LINE.test(text.slice(to, to + 200)))
const TAB_IN_LINE = /^[^\n]*?\S[^\n]*?\t/

/** The lines with another common prefix, without it; null if there are none. A NUL separates blocks. */
export function prefixedLines(text: string): Unprefixed | null {
  const parts = blocksIn(text, otherPrefix(/^(?:@@ -|diff --|\+\+\+ )/m.test(text))).flatMap((lines) =>
    lines.map(({ to }, index): Part => {
      const newline = text.indexOf('\n', to)
      return { start: to, end: newline < 0 ? text.length : newline + 1, after: index === lines.length - 1 ? '\n\0\n' : '' }
    }),
  )
  return parts.length === 0 ? null : joined(text, parts)
}
