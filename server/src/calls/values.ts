/** JSON inside a model's answer. */
import { parseExact } from '#server/exact-json.ts'

const SPACE = /[ \t\r\n\f\v]*/y
const SCALAR = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

export interface Value {
  value: unknown
  end: number
}

export function pastSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  return at + SPACE.exec(text)![0].length
}

/** The offset behind a mark that follows after white space; null if it does not follow. */
export function past(text: string, at: number, mark: string): number | null {
  const start = pastSpace(text, at)
  return text.startsWith(mark, start) ? start + mark.length : null
}

/** The JSON value that begins after white space at an offset, and its end. */
export function loadedAt(text: string, at: number): Value | null {
  const start = pastSpace(text, at)
  const end = endOf(text, start)
  if (end === null) return null
  try {
    return { value: parseExact(text.slice(start, end)).value, end }
  } catch {
    return null // not JSON, or nested too deep
  }
}

/** The JSON value that a text is; undefined if it is none. */
export function loaded(text: string): unknown {
  const found = loadedAt(text, 0)
  return found && pastSpace(text, found.end) === text.length ? found.value : undefined
}

function endOf(text: string, start: number): number | null {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first !== '{' && first !== '[') {
    SCALAR.lastIndex = start
    const scalar = SCALAR.exec(text)
    return scalar && start + scalar[0].length
  }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      if (end === null) return null
      at = end - 1
    } else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return null
}

function endOfString(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return null
}
