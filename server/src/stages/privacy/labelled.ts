import type { Finding } from '#contracts/entities/privacy.ts'

/** Keys of chat messages and calls, which say nothing about what stands under them. */
const STRUCTURE = new Set(['name', 'role', 'type', 'id', 'tool_call_id', 'content', 'text', 'thinking'])
/** A label says something about a value, not about a file. */
const LABELLED_CHARS = 4096

/**
 * Findings of a text that stands under a key: "hunter22" is a password only where its key says so. `isData`: in the
 * input of a call, where `name` is a label like any other.
 */
export function scanLabelled(scan: (text: string) => Finding[], key: string | null, text: string, isData: boolean): Finding[] {
  if (key === null || text.length > LABELLED_CHARS || (!isData && STRUCTURE.has(key))) return scan(text)
  const front = `${key}: `
  return scan(front + text).flatMap((finding) =>
    finding.end <= front.length ? [] : [{ ...finding, start: Math.max(0, finding.start - front.length), end: finding.end - front.length }],
  )
}
