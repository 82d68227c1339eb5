import { z } from 'zod'

/** A search hit with the text around it in its line. */
export const FoundLine = z.object({ before: z.string(), match: z.string(), after: z.string() })
export type FoundLine = z.infer<typeof FoundLine>

const BEFORE_CHARS = 60
const AFTER_CHARS = 200

/** The first line that contains `words`, which must be in lower case; null if there is none. */
export function lineWith(text: string, words: string): FoundLine | null {
  const lower = text.toLowerCase()
  const at = lower.indexOf(words)
  if (at < 0) return null
  // a few letters become longer in lower case, so that `at` is not a position in the original text
  const start = lower.length === text.length ? at : Math.max(0, text.indexOf(words))
  const end = start + words.length
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const before = text.slice(lineStart, start).trimStart()
  return {
    before: before.length > BEFORE_CHARS ? `…${before.slice(-BEFORE_CHARS)}` : before,
    match: text.slice(start, end),
    after: text.slice(end, Math.min(lineEnd < 0 ? text.length : lineEnd, end + AFTER_CHARS)),
  }
}
