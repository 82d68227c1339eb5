import { type Label, labelOf, wordsOf } from './labels.ts'
import { lineStart } from '../lines.ts'

/** The YAML key one level up: `hmac` in `hmac:⏎  key:`. */
export function parentKeyOf(text: string, keyStart: number): string {
  const from = lineStart(text, keyStart, 60)
  const depth = keyStart - from
  if (depth === 0 || text.slice(from, keyStart).trim() !== '') return ''
  const above = text
    .slice(Math.max(0, from - 200), from)
    .split('\n')
    .slice(0, -1)
  for (const line of above.toReversed()) {
    const indent = /^ */.exec(line)![0].length
    if (line.trim() !== '' && indent < depth) return /^ *([\w-]+):\s*$/.exec(line)?.[1] ?? ''
  }
  return ''
}

/** Start of the phrase that ends in a label: the whole identifier and up to four words before it. */
export function phraseBefore(text: string, wordStart: number, end: number): number {
  let at = wordStart
  let words = 0
  const limit = Math.max(0, end - 90)
  while (at > limit) {
    const code = text.charCodeAt(at - 1)
    if (
      isIdentifier(code) ||
      code >= 0xc0 ||
      code === 36 ||
      code === 45 ||
      code === 46 ||
      (code === 39 && isIdentifier(text.charCodeAt(at - 2)))
    )
      at -= 1
    else if (code === 32 && words < 4 && at - 1 > limit && text.charCodeAt(at - 2) !== 32) {
      words += 1
      at -= 1
    } else break
  }
  while (text.charCodeAt(at) === 32) at += 1
  return at
}

const CACHE_SIZE = 20_000
const cache = new Map<string, Label | null>()
/** Phrases repeat, so results are cached. */
export function labelIn(phrase: string): Label | null {
  const cached = cache.get(phrase)
  if (cached !== undefined) return cached
  const label = labelOf(wordsOf(phrase))
  if (cache.size >= CACHE_SIZE) cache.clear()
  cache.set(phrase, label)
  return label
}

export function isIdentifier(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
}
