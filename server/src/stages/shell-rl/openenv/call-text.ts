/** Finds calls in a text: JSON objects, `terminal(…)`, and the marks that chat templates put around calls. */
import type { CallFormat } from '#contracts/entities/tool-call.ts'
import { lookup } from '#contracts/lookup.ts'

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
const TAG = /^(?:<tool_call>|<function_call>|<\|tool_call\|>|<\|python_tag\|>|\[TOOL_CALLS\]|<function=)/
const CLOSING = lookup({
  '<tool_call>': '</tool_call>',
  '<function_call>': '</function_call>',
  '<|tool_call|>': '<|/tool_call|>',
})
const ENDS = /(?:<\|eom_id\|>|<\|eot_id\|>|<\/s>|<\|im_end\|>)$/
const BLANK = /^[ \t\r\n\f\v]*$/
/** Limits the work for texts with many opening braces. */
const MAX_TRIES = 64
const PROSE = /^[\p{L}\p{N}.,:!? \t]*$/u

const trimmed = (text: string) => text.replace(/^[ \t\r\n\f\v]+|[ \t\r\n\f\v]+$/g, '')

export const structures = {
  /** The kind of call that the text begins like; null if it does not begin like a call. */
  opening(text: string): 'json' | 'call' | 'tag' | null {
    if (OBJECT.test(text) || ARRAY.test(text)) return 'json'
    if (CALL.test(text)) return 'call'
    return TAG.test(text) ? 'tag' : null
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
      if (alone?.format === 'tag') {
        found.push(alone) // another call may follow on the same line
        at = alone.end
        continue
      }
      found.push(...inLine(text, at, lineEnd, json))
      at = lineEnd + 1
    }
    return found
  },
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Reads the call that begins at `start`; null if none does. */
function parseCallAt(text: string, start: number, json: ReturnType<typeof jsonOf>): Found | null {
  const rest = text.slice(start)
  if (TAG.test(rest)) return tagged(text, start)
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
    if ((text[at] === '<' || text[at] === '[') && TAG.test(text.slice(at, at + 20))) {
      found.push(tagged(text, at))
      return found // text around a mark is allowed
    }
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
  let depth = 0
  let isQuoted = false
  for (let at = start; at < limit; at++) {
    const char = text[at]
    if (isQuoted) {
      if (char === '\\') at++
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) {
      const end = at + 1
      try {
        return { start, end, format, value: JSON.parse(text.slice(start, end)) as unknown }
      } catch {
        return null
      }
    }
  }
  return null
}

const BROKEN = 'The mark of a tool call is there, but no call that can be read.'

/** Reads a call between the marks of a chat template. Throws `Refused` if there is no valid call. */
function tagged(text: string, start: number): Found {
  const opening = TAG.exec(text.slice(start))![0]
  if (opening === '<function=') return functionTag(text, start)
  const from = start + opening.length
  const closing = CLOSING[opening]
  const close = closing === undefined ? text.length : text.indexOf(closing, from)
  if (close === -1) throw new Refused(BROKEN, 'tag')
  const end = closing === undefined ? text.length : close + closing.length
  const body = trimmed(trimmed(text.slice(from, close)).replace(ENDS, ''))
  if (body.startsWith('<function=')) return { ...functionTag(body, 0), start, end }
  try {
    return { start, end, format: 'tag', value: JSON.parse(body) as unknown }
  } catch {
    throw new Refused(BROKEN, 'tag')
  }
}

/** `<function=terminal><parameter=command>…</parameter></function>`, or JSON between the two. */
function functionTag(text: string, start: number): Found {
  const match = /^<function=([^>\n]*)>([^]*?)<\/function>/.exec(text.slice(start))
  if (!match) throw new Refused(BROKEN, 'tag')
  const [all, name, body] = match as unknown as [string, string, string]
  const end = start + all.length
  const inner = trimmed(body)
  if (inner.startsWith('{'))
    try {
      return { start, end, format: 'tag', value: { name: trimmed(name), arguments: JSON.parse(inner) as unknown } }
    } catch {
      throw new Refused(BROKEN, 'tag')
    }
  const values = lookup<string>()
  const rest = inner.replace(/<parameter=([^>\n]*)>\n?([^]*?)\n?<\/parameter>/g, (_, key: string, value: string) => {
    values[trimmed(key)] = value
    return ''
  })
  if (!BLANK.test(rest) || Object.keys(values).length === 0) throw new Refused(BROKEN, 'tag')
  return { start, end, format: 'tag', value: { name: trimmed(name), arguments: values } }
}

const ESCAPES = lookup({ n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'", '0': '\0', '\n': '' })

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
    const string = stringAt(text, at)
    if (!string) return null
    value[key] = string.value
    at = string.end
    space()
    if (text[at] === ',') at++
    else if (text[at] !== ')') return null
  }
}

/** Reads a string in single, double or triple quotes; null if none begins at `start`. */
function stringAt(text: string, start: number): { end: number; value: string } | null {
  const quote = /^(?:"""|'''|"|')/.exec(text.slice(start, start + 3))?.[0]
  if (quote === undefined) return null
  let value = ''
  for (let at = start + quote.length; at < text.length; at++) {
    if (text.startsWith(quote, at)) return { end: at + quote.length, value }
    const char = text[at]!
    if (char === '\n' && quote.length === 1) return null
    if (char !== '\\') {
      value += char
      continue
    }
    const next = text[++at]
    const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(text.slice(at, at + 5))
    if (code) {
      value += String.fromCharCode(Number.parseInt(code[1] ?? code[2]!, 16))
      at += code[0].length - 1
    } else if (next === undefined) return null
    else value += ESCAPES[next] ?? `\\${next}`
  }
  return null
}
