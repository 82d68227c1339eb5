/** Reads the arguments of Gemma's calls: `{key:<|"|>text<|"|>,other:[1,true]}`. */
import { matchAt, PARTS } from './data.ts'
import { loaded, loadedAt, pastSpace, type Value } from './values.ts'

const TEXT = '<|"|>'
const WORDS = new Map<string, unknown>([
  ['None', null],
  ['null', null],
  ['True', true],
  ['False', false],
])
const MAX_DEPTH = 100

/** The object that begins at an offset; null if it cannot be read. */
export function gemmaArguments(text: string, at: number): Value | null {
  const found = valueAt(text, at, 0)
  return found && typeof found.value === 'object' && found.value !== null && !Array.isArray(found.value) ? found : null
}

function valueAt(text: string, from: number, depth: number): Value | null {
  const at = pastSpace(text, from)
  if (depth > MAX_DEPTH) return null
  if (text.startsWith(TEXT, at)) return quotedAt(text, at)
  if (text[at] === '{') return itemsAt(text, at + 1, '}', depth)
  if (text[at] === '[') return itemsAt(text, at + 1, ']', depth)
  if (text[at] === '"') return loadedAt(text, at)
  const word = matchAt(PARTS.gemmaPlain, text, at)?.[0]
  if (word === undefined) return null
  const value = WORDS.has(word) ? WORDS.get(word) : loaded(word)
  return value === undefined ? null : { value, end: at + word.length }
}

function quotedAt(text: string, at: number): Value | null {
  const from = at + TEXT.length
  const end = text.indexOf(TEXT, from)
  return end === -1 ? null : { value: text.slice(from, end), end: end + TEXT.length }
}

function keyAt(text: string, from: number): { key: string; end: number } | null {
  const at = pastSpace(text, from)
  if (text.startsWith(TEXT, at) || text[at] === '"') {
    const key = valueAt(text, at, 0)
    if (!key) return null
    const colon = pastSpace(text, key.end)
    return text[colon] === ':' ? { key: String(key.value), end: colon + 1 } : null
  }
  const plain = matchAt(PARTS.gemmaKey, text, at)
  return plain && { key: plain[1]!, end: at + plain[0].length }
}

function itemsAt(text: string, from: number, end: '}' | ']', depth: number): Value | null {
  const fields = new Map<string, unknown>()
  const values: unknown[] = []
  let at = pastSpace(text, from)
  while (text[at] !== end) {
    const key = end === '}' ? keyAt(text, at) : { key: '', end: at }
    const found = key && valueAt(text, key.end, depth + 1)
    if (!found) return null
    fields.set(key.key, found.value)
    values.push(found.value)
    at = pastSpace(text, found.end)
    if (text[at] === ',') at = pastSpace(text, at + 1)
    else if (text[at] !== end) return null
  }
  return { value: end === '}' ? Object.fromEntries(fields) : values, end: at + 1 }
}
