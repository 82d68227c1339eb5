import { z } from 'zod'
import { placeOf } from './fold.ts'

/** A search hit with the text around it in its line. */
export const FoundLine = z.object({ before: z.string(), match: z.string(), after: z.string() })
export type FoundLine = z.infer<typeof FoundLine>

const BEFORE_CHARS = 60
const AFTER_CHARS = 200

/** The line that contains `words` best, see `placeOf`; null if there is none. */
export function lineWith(text: string, words: string): FoundLine | null {
  const place = placeOf(text, words)
  if (!place) return null
  const { start, end } = place
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const before = text.slice(lineStart, start).trimStart()
  return {
    before: before.length > BEFORE_CHARS ? `…${before.slice(-BEFORE_CHARS)}` : before,
    match: text.slice(start, end),
    after: text.slice(end, Math.min(lineEnd < 0 ? text.length : lineEnd, end + AFTER_CHARS)),
  }
}
