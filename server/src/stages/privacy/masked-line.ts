/** A finding as it is stored; `preview` is its mask. */
interface Place {
  start: number
  end: number
  preview: string
}

/** How much of a line is shown on each side. */
const CHARS = 120

/** The line around a finding. `found` are all findings in the text, sorted; each is replaced by its mask. */
export function maskedLine(text: string, { start, end, preview }: Place, found: readonly Place[]) {
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - CHARS, 0)
  const newline = text.indexOf('\n', end)
  const lineEnd = Math.min(newline < 0 ? text.length : newline, end + CHARS)
  return {
    before: `${lineStart > 0 && text[lineStart - 1] !== '\n' ? '… ' : ''}${masked(text, lineStart, start, found)}`,
    masked: preview,
    after: `${masked(text, end, lineEnd, found)}${lineEnd < text.length && text[lineEnd] !== '\n' ? ' …' : ''}`,
  }
}

/** A part of a text without what was found in it, also where a finding begins or ends outside of the part. */
function masked(text: string, from: number, to: number, found: readonly Place[]): string {
  const parts: string[] = []
  let at = from
  for (const { start, end, preview } of found) {
    if (end <= at || start >= to) continue
    parts.push(text.slice(at, Math.max(at, start)), preview)
    at = Math.min(end, to)
  }
  parts.push(text.slice(at, to))
  return parts.join('')
}
