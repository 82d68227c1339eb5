import type { Finding } from '#contracts/entities/privacy.ts'

/** Keys of chat messages and calls, which are not labels of their values. */
const STRUCTURE = new Set(['name', 'role', 'type', 'id', 'tool_call_id', 'content', 'text', 'thinking'])
/** Longer texts are files rather than values, so their key is no label. */
const LABELLED_CHARS = 4096

/** Limits in characters: of all cached texts together, and of one cached text. */
const CACHE_CHARS = 8_000_000
const LONGEST_CACHED = 1_000_000
/** Overhead per cached text, in characters. */
const OVERHEAD_CHARS = 100

export type LabelledScan = (key: string | null, text: string, isData: boolean) => readonly Finding[]

/**
 * `scanLabelled` with a cache, because sessions repeat texts: files that were read several times, outputs, roles, names.
 * When the cache is full, all of it is cleared.
 */
export function cachedScan(scan: (text: string) => Finding[]): LabelledScan {
  let cache = new Map<string | null, Map<string, readonly Finding[]>>()
  let remainingChars = CACHE_CHARS
  return (key, text, isData) => {
    const prefix = isLabelKey(key, text, isData) ? key : null
    let findingsByText = cache.get(prefix)
    const cached = findingsByText?.get(text)
    if (cached !== undefined) return cached
    const findings = scanLabelled(scan, key, text, isData)
    if (text.length > LONGEST_CACHED) return findings
    remainingChars -= text.length + OVERHEAD_CHARS
    if (remainingChars < 0) {
      cache = new Map()
      findingsByText = undefined
      remainingChars = CACHE_CHARS - text.length - OVERHEAD_CHARS
    }
    if (findingsByText === undefined) cache.set(prefix, (findingsByText = new Map()))
    findingsByText.set(text, findings)
    return findings
  }
}

/** Whether the key labels the text. */
const isLabelKey = (key: string | null, text: string, isData: boolean): key is string =>
  key !== null && text.length <= LABELLED_CHARS && (isData || !STRUCTURE.has(key))

/**
 * Findings in a text with a key: "hunter22" is a password only under a key such as `password`. `isData` is true inside the
 * input of a call, where even `name` is a label.
 */
export function scanLabelled(scan: (text: string) => Finding[], key: string | null, text: string, isData: boolean): Finding[] {
  if (!isLabelKey(key, text, isData)) return scan(text)
  const prefix = `${key}: `
  return scan(prefix + text).flatMap((finding) =>
    finding.end <= prefix.length
      ? []
      : [{ ...finding, start: Math.max(0, finding.start - prefix.length), end: finding.end - prefix.length }],
  )
}
