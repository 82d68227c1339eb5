/**
 * A strict JSON reader (RFC 8259) that returns positions, so that a part of a file can be changed without any other
 * byte: `JSON.parse` loses key order, number spelling and indentation, and silently accepts duplicate keys.
 */
export type JsonNode = JsonObject | JsonArray | JsonScalar

/** `start` is the position of the value's first UTF-16 unit, `end` the position after its last. */
interface Span {
  start: number
  end: number
}
export interface JsonMember {
  key: string
  /** Position of the key's opening quote. */
  start: number
  value: JsonNode
}
export interface JsonObject extends Span {
  kind: 'object'
  members: JsonMember[]
}
export interface JsonArray extends Span {
  kind: 'array'
  items: JsonNode[]
}
interface JsonScalar extends Span {
  kind: 'string' | 'number' | 'boolean' | 'null'
  /** Null for a number: its text is in the file. */
  value: string | boolean | null
}

/** `message` starts with `line N`. */
export class JsonTextError extends Error {
  readonly line: number

  constructor(text: string, at: number, reason: string) {
    const line = lineAt(text, at)
    super(`line ${line}: ${reason}`)
    this.name = 'JsonTextError'
    this.line = line
  }
}

/** Line of a position, from 1. CRLF, LF and a lone CR each end a line. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split(/\r\n|\r|\n/).length
}

/** More than any settings file needs, and safe for the stack. */
const MAX_DEPTH = 1000
const BOM = '\uFEFF'
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// oxlint-disable-next-line no-control-regex -- control characters end the run: JSON forbids them in strings
const UNESCAPED = /[^"\\\u0000-\u001f]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const LITERALS = { true: true, false: false, null: null } as const

/** Parses a whole text, with an optional byte order mark. Throws `JsonTextError`. */
export function parseJsonText(text: string): JsonNode {
  let at = text.startsWith(BOM) ? 1 : 0

  const fail = (reason: string, where = at): never => {
    throw new JsonTextError(text, where, reason)
  }
  const skipWhitespace = () => {
    while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t' || text[at] === '\r') at += 1
    if (/^(?:\/[/*]|#)/.test(text.slice(at, at + 2))) fail('a comment, which JSON does not have')
  }
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const matched = pattern.exec(text)?.[0]
    if (matched === undefined) return null
    at += matched.length
    return matched
  }
  const unexpected = (expected: string): never =>
    at >= text.length
      ? fail(`the file ends where ${expected} was expected`, text.trimEnd().length)
      : fail(`${JSON.stringify(text[at])} where ${expected} was expected`)

  const string = (): string => {
    const start = at
    at += 1
    for (;;) {
      match(UNESCAPED)
      if (text[at] === '"') break
      if (text[at] === '\\') {
        if (match(ESCAPE) === null) fail('an escape that JSON does not have')
      } else if (at >= text.length) fail('the file ends inside a string', start)
      else fail('a control character or line break inside a string')
    }
    at += 1
    return JSON.parse(text.slice(start, at)) as string // the syntax was checked above, so this only resolves escapes
  }

  const value = (depth: number): JsonNode => {
    if (depth > MAX_DEPTH) fail(`values nested more than ${MAX_DEPTH} levels deep`)
    skipWhitespace()
    const start = at
    const char = text[at]
    if (char === '{') return object(start, depth)
    if (char === '[') return array(start, depth)
    if (char === '"') {
      const read = string()
      return { kind: 'string', start, end: at, value: read }
    }
    for (const [word, meaning] of Object.entries(LITERALS)) {
      if (!text.startsWith(word, at)) continue
      at += word.length
      return { kind: meaning === null ? 'null' : 'boolean', start, end: at, value: meaning }
    }
    if (match(NUMBER) !== null) return { kind: 'number', start, end: at, value: null }
    return unexpected('a value')
  }

  const object = (start: number, depth: number): JsonObject => {
    const members: JsonMember[] = []
    const lines = new Map<string, number>()
    at += 1
    skipWhitespace()
    if (text[at] === '}') at += 1
    else
      for (;;) {
        skipWhitespace()
        const keyStart = at
        if (text[at] === '}') fail('a comma before the closing brace')
        if (text[at] !== '"') unexpected('a key in quotes')
        const key = string()
        const earlier = lines.get(key)
        if (earlier !== undefined) {
          fail(`duplicate key ${JSON.stringify(key)} (first on line ${lineAt(text, earlier)})`, keyStart)
        }
        lines.set(key, keyStart)
        skipWhitespace()
        if (text[at] !== ':') unexpected('a colon')
        at += 1
        members.push({ key, start: keyStart, value: value(depth + 1) })
        skipWhitespace()
        if (text[at] === '}') {
          at += 1
          break
        }
        if (text[at] !== ',') unexpected('a comma or a closing brace')
        at += 1
      }
    return { kind: 'object', start, end: at, members }
  }

  const array = (start: number, depth: number): JsonArray => {
    const items: JsonNode[] = []
    at += 1
    skipWhitespace()
    if (text[at] === ']') at += 1
    else
      for (;;) {
        skipWhitespace()
        if (text[at] === ']') fail('a comma before the closing bracket')
        items.push(value(depth + 1))
        skipWhitespace()
        if (text[at] === ']') {
          at += 1
          break
        }
        if (text[at] !== ',') unexpected('a comma or a closing bracket')
        at += 1
      }
    return { kind: 'array', start, end: at, items }
  }

  skipWhitespace()
  if (at >= text.length) fail('the file is empty', text.length)
  const root = value(0)
  skipWhitespace()
  if (at < text.length) fail('more text after the end of the value')
  return root
}

/** Keeps a byte order mark. Throws `JsonTextError` with the first line that is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  const decode = (part: Uint8Array) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part)
  try {
    return decode(bytes)
  } catch {
    // A line feed byte is never part of another UTF-8 character, so lines can be decoded separately.
    for (let from = 0, line = 1; ; line += 1) {
      const newline = bytes.indexOf(0x0a, from)
      const end = newline === -1 ? bytes.length : newline
      try {
        decode(bytes.subarray(from, end))
      } catch (cause) {
        const before = '\n'.repeat(line - 1)
        throw Object.assign(new JsonTextError(before, before.length, 'bytes that are not UTF-8'), { cause })
      }
      from = end + 1
    }
  }
}

/** The member of an object with this key. */
export function member(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === 'object' ? node.members.find((candidate) => candidate.key === key) : undefined
}

/** The string value of a member, or null if it is absent or not a string. */
export function stringOf(node: JsonNode | undefined, key: string): string | null {
  const value = member(node, key)?.value
  return value?.kind === 'string' ? (value.value as string) : null
}
