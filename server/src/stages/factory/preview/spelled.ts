/**
 * Text of a row that spells a special token, such as `<|im_end|>` in an answer about chat templates, is encoded as text: a break,
 * at which the encoder cuts, parts its first character from the rest. The same rule as `bashgym_trainers/spelled.py`, which explains it.
 */
export const BREAK = '\uFDD0'
const THOUGHTS = /think/i

/** What matches every text that a tokenizer would read as a special token; null if there is none. */
export function marksOf(specialTokens: readonly string[]): RegExp | null {
  const marks = [...new Set(specialTokens)].filter((mark) => mark.trim().length > 1 && !THOUGHTS.test(mark))
  if (marks.length === 0) return null
  return new RegExp(marks.toSorted((a, b) => b.length - a.length).map(escaped).join('|'), 'g') // prettier-ignore
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** The first special token that a text in the value spells. */
export function spelledMark(marks: RegExp | null, value: unknown): string | null {
  if (marks === null) return null
  if (typeof value === 'string') return value.match(marks)?.[0] ?? null
  if (typeof value !== 'object' || value === null) return null
  for (const inner of Object.values(value)) {
    const mark = spelledMark(marks, inner)
    if (mark !== null) return mark
  }
  return null
}

/** The value with a break in every text that spells a special token. */
export function asText<Value>(marks: RegExp | null, value: Value): Value {
  return marks === null ? value : (parted(marks, value) as Value) // only texts change
}

function parted(marks: RegExp, value: unknown): unknown {
  if (typeof value === 'string') return value.replace(marks, (mark) => `${mark[0]!}${BREAK}${mark.slice(1)}`)
  if (Array.isArray(value)) return value.map((inner: unknown) => parted(marks, inner))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, parted(marks, inner)]))
}
