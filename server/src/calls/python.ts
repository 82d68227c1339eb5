/** Reads a list of Python calls, as LFM2 writes its calls: `[NAME(key='value', other=[1, true])]`. Nothing is evaluated. */
import { lookup } from '#contracts/lookup.ts'
import { matchAt, PARTS } from './data.ts'
import { exactNumber } from '#server/exact-json.ts'
import { pastSpace, type Value } from './values.ts'

const QUOTE = /"""|'''|"|'/y
const CODE = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})/y
const ESCAPES = lookup({
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  b: '\b',
  a: '\u0007',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '0': '\0',
  '\n': '',
})
const NUMBER = /-?(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d+)?/y
const WORD = /[A-Za-z_]\w*/y
const CONSTANTS = new Map<string, unknown>([['None', null], ['null', null], ['True', true], ['true', true], ['False', false], ['false', false]]) // prettier-ignore
const MAX_DEPTH = 100

export interface PythonCall {
  name: string
  arguments: Record<string, unknown>
}

/**
 * The calls of a complete list. Some models quote texts without escaping them, so that the list is read a second time, with
 * texts that end only before the next argument.
 */
export const pythonCalls = (body: string): PythonCall[] | null => callsIn(body, valueAt) ?? callsIn(body, unescapedAt)

function callsIn(body: string, read: (body: string, at: number, depth: number) => Value | null): PythonCall[] | null {
  const isList = body.startsWith('[')
  const calls: PythonCall[] = []
  let at = isList ? 1 : 0
  for (let opened; (opened = matchAt(PARTS.pythonCall, body, at)); at++) {
    at += opened[0].length
    const args: [string, unknown][] = []
    for (let key; (key = matchAt(PARTS.pythonArgument, body, at));) {
      const value = read(body, at + key[0].length, 0)
      if (!value) return null
      args.push([key[1]!, value.value])
      at = value.end
    }
    at = past(body, at, ',')
    if (body[at] !== ')') return null
    calls.push({ name: opened[1]!, arguments: Object.fromEntries(args) })
  }
  if (isList) at = past(body, at, ',')
  return calls.length > 0 && body.slice(at).trim() === (isList ? ']' : '') ? calls : null
}

function past(body: string, from: number, mark: string): number {
  const at = pastSpace(body, from)
  return body[at] === mark ? pastSpace(body, at + 1) : at
}

function unescapedAt(body: string, from: number): Value | null {
  if (body[from] !== "'") return valueAt(body, from, 0)
  const closed = matchAt(PARTS.pythonClosed, body, from + 1)
  return closed && { value: body.slice(from + 1, closed.index), end: closed.index + closed[0].length }
}

function valueAt(body: string, from: number, depth: number): Value | null {
  const at = pastSpace(body, from)
  if (depth > MAX_DEPTH) return null
  if (body[at] === '[') return itemsAt(body, at, ']', depth)
  if (body[at] === '(') return itemsAt(body, at, ')', depth)
  if (body[at] === '{') return fieldsAt(body, at, depth)
  const word = matchAt(WORD, body, at)?.[0]
  if (word !== undefined) return { value: CONSTANTS.has(word) ? CONSTANTS.get(word) : word, end: at + word.length }
  const number = matchAt(NUMBER, body, at)?.[0]
  if (number === undefined) return pythonStringAt(body, at)
  const literal = number.replaceAll('_', '')
  return { value: exactNumber(Number(literal), literal), end: at + number.length }
}

function itemsAt(body: string, from: number, close: string, depth: number): Value | null {
  const values: unknown[] = []
  let at = pastSpace(body, from + 1)
  while (body[at] !== close) {
    const value = valueAt(body, at, depth + 1)
    if (!value) return null
    values.push(value.value)
    at = pastSpace(body, value.end)
    if (body[at] === ',') at = pastSpace(body, at + 1)
    else if (body[at] !== close) return null
  }
  return { value: values, end: at + 1 }
}

function fieldsAt(body: string, from: number, depth: number): Value | null {
  const fields: [string, unknown][] = []
  let at = pastSpace(body, from + 1)
  while (body[at] !== '}') {
    const key = valueAt(body, at, depth + 1)
    const colon = key ? pastSpace(body, key.end) : -1
    const value = key && body[colon] === ':' ? valueAt(body, colon + 1, depth + 1) : null
    if (!key || !value) return null
    fields.push([String(key.value), value.value])
    at = pastSpace(body, value.end)
    if (body[at] === ',') at = pastSpace(body, at + 1)
    else if (body[at] !== '}') return null
  }
  return { value: Object.fromEntries(fields), end: at + 1 }
}

/** Reads a string in single, double or triple quotes; null if none begins at `start`. */
export function pythonStringAt(text: string, start: number): { value: string; end: number } | null {
  const quote = matchAt(QUOTE, text, start)?.[0]
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
    const code = matchAt(CODE, text, at)
    if (code) {
      value += String.fromCodePoint(Math.min(0x10ffff, Number.parseInt((code[1] ?? code[2] ?? code[3])!, 16)))
      at += code[0].length - 1
    } else if (next === undefined) return null
    else value += ESCAPES[next] ?? `\\${next}`
  }
  return null
}
