/** Finds calls in a text: those between the marks of chat templates, JSON objects, and `terminal(…)`. */
import type { CallFormat } from '#contracts/entities/tool-call.ts'
import { lookup } from '#contracts/lookup.ts'
import { findCalls, loadedAt, pythonStringAt, TORN, withoutOpenings } from '#server/calls/index.ts'

/** Thrown for a text that looks like a call but is not a valid call. */
export class Refused extends Error {
  readonly format: CallFormat
  constructor(message: string, format: CallFormat) {
    super(message)
    this.format = format
  }
}

export interface Found {
  start: number
  end: number
  format: 'json' | 'call' | 'tag' | 'prose'
  value: unknown
}

const OBJECT = /^\{[ \t\r\n]*["'][^"'\n]*["'][ \t\r\n]*:/
const ARRAY = /^\[[ \t\r\n]*\{[ \t\r\n]*["'][^"'\n]*["'][ \t\r\n]*:/
const CALL = /^terminal[ \t]*\(/
const BLANK = /^[ \t\r\n\f\v]*$/
/** Limits the work for texts with many opening braces. */
const MAX_TRIES = 64
const PROSE = /^[\p{L}\p{N}.,:!? \t]*$/u

const trimmed = (text: string) => text.replace(/^[ \t\r\n\f\v]+|[ \t\r\n\f\v]+$/g, '')

export const structures = {
  /** The kind of call without marks that the text begins like; null if it does not begin like one. */
  opening(text: string): 'json' | 'call' | null {
    if (OBJECT.test(text) || ARRAY.test(text)) return 'json'
    return CALL.test(text) ? 'call' : null
  },
  /** Whether the text has only letters, digits and simple punctuation, and at least two words or a colon. */
  isProse: (text: string): boolean => PROSE.test(text) && (text.includes(':') || trimmed(text).split(/[ \t]+/).length >= 2),
  /** The part of a line before its first object. */
  lead(line: string): string {
    for (let at = line.indexOf('{'); at !== -1; at = line.indexOf('{', at + 1))
      if (OBJECT.test(line.slice(at))) return trimmed(line.slice(0, at))
    return line
  },
  /** Finds all calls in order. Throws `Refused` for a call mark without a call. */
  find(text: string): Found[] {
    const marked = findCalls(text)
    if (!marked || text[marked.start] === '{') return findUnmarked(text)
    if (marked.written.includes(TORN)) throw new Refused(BROKEN, 'tag')
    const { start, end } = marked
    const calls = marked.written.map((value): Found => ({ start, end, format: 'tag', value }))
    return [...findUnmarked(withoutOpenings(text.slice(0, start))), ...calls, ...findUnmarked(text.slice(end))]
  },
}

const BROKEN = 'The mark of a tool call is there, but no call that can be read.'

function findUnmarked(text: string): Found[] {
  const found: Found[] = []
  const json = jsonOf(text)
  for (let at = 0; at < text.length;) {
    const lineEnd = endOfLine(text, at)
    const start = at + /^[ \t\r\f\v]*/.exec(text.slice(at, lineEnd))![0].length
    const alone = start < lineEnd ? parseCallAt(text, start, json) : null
    if (alone && BLANK.test(text.slice(alone.end, endOfLine(text, alone.end)))) {
      found.push(alone)
      at = endOfLine(text, alone.end) + 1
      continue
    }
    found.push(...inLine(text, at, lineEnd, json))
    at = lineEnd + 1
  }
  return found
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Reads the call that begins at `start`; null if none does. */
function parseCallAt(text: string, start: number, json: ReturnType<typeof jsonOf>): Found | null {
  const rest = text.slice(start)
  if (CALL.test(rest)) {
    const call = callAt(text, start)
    return call && { start, end: call.end, format: 'call', value: call.value }
  }
  if (!OBJECT.test(rest) && !ARRAY.test(rest)) return null
  return json(start, text.length, 'json')
}

/** Finds objects in a line of prose. */
function inLine(text: string, from: number, to: number, json: ReturnType<typeof jsonOf>): Found[] {
  const found: Found[] = []
  let around = ''
  let lead: string | null = null
  let at = from
  while (at < to) {
    const object = text[at] === '{' && OBJECT.test(text.slice(at, to)) ? json(at, to, 'prose') : null
    if (object) {
      lead ??= around
      found.push(object)
      at = object.end
    } else around += text[at++]
  }
  return lead !== null && structures.isProse(lead) && PROSE.test(around.replaceAll('\r', '')) ? found : []
}

/** The object or list that begins at `start` and ends before `limit`; null if none does. */
function jsonOf(text: string): (start: number, limit: number, format: Found['format']) => Found | null {
  let tries = 0
  return (start, limit, format) => (++tries > MAX_TRIES ? null : jsonAt(text, start, limit, format))
}

function jsonAt(text: string, start: number, limit: number, format: Found['format']): Found | null {
  const found = loadedAt(text.slice(0, limit), start)
  return found && { start, end: found.end, format, value: found.value }
}

/** Reads `terminal("…")` or `terminal(command="…")`. Null if an argument is not a quoted string. */
function callAt(text: string, start: number): { end: number; value: Record<string, string> } | null {
  let at = start + CALL.exec(text.slice(start))![0].length
  const value = lookup<string>()
  const space = () => {
    while (/[ \t\r\n]/.test(text[at] ?? '')) at++
  }
  for (let position = 0; ; position++) {
    space()
    if (text[at] === ')') return { end: at + 1, value }
    const name = /^([A-Za-z_][A-Za-z0-9_]*)[ \t]*=(?!=)/.exec(text.slice(at, at + 100))
    const key = name?.[1] ?? (position === 0 ? 'command' : '')
    if (Object.hasOwn(value, key) || (key !== 'command' && key !== 'final_answer')) return null
    if (name) at += name[0].length
    space()
    const string = pythonStringAt(text, at)
    if (!string) return null
    value[key] = string.value
    at = string.end
    space()
    if (text[at] === ',') at++
    else if (text[at] !== ')') return null
  }
}
