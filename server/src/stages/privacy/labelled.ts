import type { Finding } from '#contracts/entities/privacy.ts'

/** Keys of chat messages and calls, which are not labels of their values. */
const STRUCTURE = new Set(['name', 'role', 'type', 'id', 'tool_call_id', 'content', 'text', 'thinking'])
/** A label applies to a value, not to a whole file. */
const LABELLED_CHARS = 4096

/** Characters of all cached texts, and of the longest one. */
const REMEMBERED_CHARS = 8_000_000
const LONGEST_REMEMBERED = 1_000_000
/** Overhead per cached text, in characters. */
const OVERHEAD_CHARS = 100

export type LabelledScan = (key: string | null, text: string, isData: boolean) => readonly Finding[]

/**
 * As `scanLabelled`, but the same text under the same key is scanned once: sessions contain a file each time it was read, an
 * output next to its message, and the same roles, names and flags. Bounded by characters; the whole cache is cleared at once.
 */
export function rememberingScan(scan: (text: string) => Finding[]): LabelledScan {
  let known = new Map<string | null, Map<string, readonly Finding[]>>()
  let remainingChars = REMEMBERED_CHARS
  return (key, text, isData) => {
    const front = isLabelKey(key, text, isData) ? key : null
    let under = known.get(front)
    const before = under?.get(text)
    if (before !== undefined) return before
    const findings = scanLabelled(scan, key, text, isData)
    if (text.length > LONGEST_REMEMBERED) return findings
    remainingChars -= text.length + OVERHEAD_CHARS
    if (remainingChars < 0) {
      known = new Map()
      under = undefined
      remainingChars = REMEMBERED_CHARS - text.length - OVERHEAD_CHARS
    }
    if (under === undefined) known.set(front, (under = new Map()))
    under.set(text, findings)
    return findings
  }
}

/** Whether the key is read before the text. */
const isLabelKey = (key: string | null, text: string, isData: boolean): key is string =>
  key !== null && text.length <= LABELLED_CHARS && (isData || !STRUCTURE.has(key))

/**
 * Findings of a text with its key: "hunter22" is a password only with a key that says so. `isData`: in the
 * input of a call, where `name` is a label like any other.
 */
export function scanLabelled(scan: (text: string) => Finding[], key: string | null, text: string, isData: boolean): Finding[] {
  if (!isLabelKey(key, text, isData)) return scan(text)
  const front = `${key}: `
  return scan(front + text).flatMap((finding) =>
    finding.end <= front.length ? [] : [{ ...finding, start: Math.max(0, finding.start - front.length), end: finding.end - front.length }],
  )
}
