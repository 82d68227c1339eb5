import type { Finding } from '#contracts/entities/privacy.ts'
import { fromBase64, decodeValue } from './encoded.ts'
import { hostLabel, numberIn } from './labels.ts'

/** The replacement of a finding; null keeps the value. `value` is decoded: without JSON escapes, percent-encoding, colour codes. */
export type Decide = (finding: Finding, value: string) => string | null

export interface Applied {
  text: string
  /** How many findings were replaced. */
  replaced: number
}

/**
 * Replaces the findings (sorted, not overlapping) in a text. Replacements are encoded like the value, so that JSON, URLs
 * and base64 stay valid. `scan` finds values inside base64.
 */
export function applyFindings(
  text: string,
  findings: readonly Finding[],
  decide: Decide,
  scan?: (text: string) => readonly Finding[],
): Applied {
  const parts: string[] = []
  let at = 0
  let replaced = 0
  for (const finding of findings) {
    if (finding.start < at || finding.end <= finding.start) continue
    const raw = text.slice(finding.start, finding.end)
    const replacement = replacementOf(text, raw, finding, decide, scan)
    if (replacement === null || replacement === raw) continue
    parts.push(text.slice(at, finding.start), replacement)
    at = finding.end
    replaced += 1
  }
  return { text: parts.length === 0 ? text : parts.join('') + text.slice(at), replaced }
}

function replacementOf(
  text: string,
  raw: string,
  finding: Finding,
  decide: Decide,
  scan?: (text: string) => readonly Finding[],
): string | null {
  const encoded = decodeValue(raw)
  const inBase64 = fromBase64(encoded.plain)
  if (inBase64 && scan) {
    const inner = scan(inBase64.plain)
    if (inner.length > 0) {
      const applied = applyFindings(inBase64.plain, inner, decide)
      return applied.replaced > 0 ? encoded.encode(inBase64.encode(applied.text)) : null
    }
  }
  const replacement = decide(finding, encoded.plain)
  if (replacement === null) return null
  if (replacement === encoded.plain) return raw
  return fitLabel(text, raw, finding, encoded.encode(replacement))
}

/** How many characters before a finding are searched for the start of a URL. */
const URL_BACK = 300
const IN_HOST = /[a-z][\w+.-]{0,40}:\/\/(?:[^\s/"'@]{0,260}@)?[^\s/"'@:?#]{0,260}$/i

/** Adapts a replacement to positions where brackets or bare words are invalid: the host of a URL, an unquoted JSON number. */
function fitLabel(text: string, raw: string, { type, start, end }: Finding, replacement: string): string {
  const number = numberIn(replacement, type)
  if (
    number !== null &&
    IN_HOST.test(text.slice(Math.max(0, start - URL_BACK), start)) &&
    !/^[^\s/"'@]*@/.test(text.slice(end, end + URL_BACK))
  )
    return hostLabel(type, number)
  const isBareNumber =
    /^-?\d[\d.]*$/.test(raw) &&
    /"\s*:\s*$/.test(text.slice(Math.max(0, start - 20), start)) &&
    /^\s*(?:[,}\]]|$)/.test(text.slice(end, end + 20))
  return isBareNumber && !/^-?[1-9]\d*$/.test(replacement) ? `"${replacement}"` : replacement
}
