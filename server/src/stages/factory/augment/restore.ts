import { diffArrays } from 'diff'

/** `[cleared, original]`: what the gate put in the place of what. */
export type Swap = [cleared: string, original: string]

/**
 * What the gate put into a text for the request, so that it can be taken out of the answer again: a variant then has
 * the same names as its solution, and both are cleared together when they leave. Labels (`[EMAIL_1]`) stay: what is
 * behind them was a secret, or is not to be told apart.
 */
export function swapsBetween(original: string, cleared: string): Swap[] {
  if (original === cleared) return []
  const found = new Map<string, string | null>()
  let gone = ''
  for (const { removed, added, value } of [...diffArrays(pieces(original), pieces(cleared)), { removed: false, added: false, value: [] }]) {
    if (removed) gone = value.join('')
    else if (added) {
      const swap = core(value.join(''), gone)
      // one stand-in for two originals says nothing
      if (swap) found.set(swap[0], found.has(swap[0]) && found.get(swap[0]) !== swap[1] ? null : swap[1])
      gone = ''
    } else gone = ''
  }
  return [...found]
    .flatMap(([instead, value]): Swap[] => (value === null ? [] : [[instead, value]]))
    .toSorted((a, b) => b[0].length - a[0].length)
}

export function restore(text: string, swaps: readonly Swap[]): string {
  if (swaps.length === 0) return text
  const originals = new Map(swaps)
  const any = new RegExp(swaps.map(([instead]) => `(?<![\\p{L}\\p{N}_])${escaped(instead)}(?![\\p{L}\\p{N}_])`).join('|'), 'gu')
  return text.replaceAll(any, (instead) => originals.get(instead) ?? instead)
}

const pieces = (text: string) => text.match(/\s+|\S+/g) ?? []

/** The part that differs, from word boundary to word boundary; null for labels and what has nothing to stand for it. */
function core(cleared: string, original: string): Swap | null {
  let start = 0
  while (start < cleared.length && cleared[start] === original[start]) start += 1
  while (start > 0 && isWord(cleared[start - 1]!)) start -= 1
  let end = 0
  const most = Math.min(cleared.length, original.length) - start
  while (end < most && cleared[cleared.length - 1 - end] === original[original.length - 1 - end]) end += 1
  while (end > 0 && isWord(cleared[cleared.length - end]!)) end -= 1
  const instead = cleared.slice(start, cleared.length - end)
  const value = original.slice(start, original.length - end)
  return instead.trim() === '' || value === '' || /\[[A-Z][A-Z_\d]*\]/.test(instead) ? null : [instead, value]
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

const isWord = (char: string) => /[\p{L}\p{N}_]/u.test(char)
