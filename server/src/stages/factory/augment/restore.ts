import { diffArrays } from 'diff'

export type Swap = [cleared: string, original: string]

/**
 * The gate's replacements in a request, for undoing them in the answer: a variant then has the same names as its solution,
 * and both are cleared together on export. Labels (`[EMAIL_1]`) are not undone, because their originals are secret or ambiguous.
 */
export function swapsBetween(original: string, cleared: string): Swap[] {
  if (original === cleared) return []
  const originals = new Map<string, string | null>()
  let removedText = ''
  for (const { removed, added, value } of [...diffArrays(pieces(original), pieces(cleared)), { removed: false, added: false, value: [] }]) {
    if (removed) removedText = value.join('')
    else if (added) {
      const swap = differingPart(value.join(''), removedText)
      // a replacement with two originals is ambiguous
      if (swap) originals.set(swap[0], originals.has(swap[0]) && originals.get(swap[0]) !== swap[1] ? null : swap[1])
      removedText = ''
    } else removedText = ''
  }
  return [...originals]
    .flatMap(([replacement, value]): Swap[] => (value === null ? [] : [[replacement, value]]))
    .toSorted((a, b) => b[0].length - a[0].length)
}

export function restore(text: string, swaps: readonly Swap[]): string {
  if (swaps.length === 0) return text
  const originals = new Map(swaps)
  const anyReplacement = new RegExp(
    swaps.map(([replacement]) => `(?<![\\p{L}\\p{N}_])${escapeRegExp(replacement)}(?![\\p{L}\\p{N}_])`).join('|'),
    'gu',
  )
  return text.replaceAll(anyReplacement, (replacement) => originals.get(replacement) ?? replacement)
}

const pieces = (text: string) => text.match(/\s+|\S+/g) ?? []

/** The differing part, extended to word boundaries; null if it is a label or empty. */
function differingPart(cleared: string, original: string): Swap | null {
  let start = 0
  while (start < cleared.length && cleared[start] === original[start]) start += 1
  while (start > 0 && isWord(cleared[start - 1]!)) start -= 1
  let end = 0
  const maxEnd = Math.min(cleared.length, original.length) - start
  while (end < maxEnd && cleared[cleared.length - 1 - end] === original[original.length - 1 - end]) end += 1
  while (end > 0 && isWord(cleared[cleared.length - end]!)) end -= 1
  const replacement = cleared.slice(start, cleared.length - end)
  const value = original.slice(start, original.length - end)
  return replacement.trim() === '' || value === '' || /\[[A-Z][A-Z_\d]*\]/.test(replacement) ? null : [replacement, value]
}

const escapeRegExp = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

const isWord = (char: string) => /[\p{L}\p{N}_]/u.test(char)
