import type { Finding } from '#contracts/entities/privacy.ts'

export interface MarkedPart {
  start: number
  text: string
  finding: Finding | null
}

/** A text in parts, those of findings apart. Findings are sorted and do not overlap, as the detectors give them. */
export function marked(text: string, findings: readonly Finding[]): MarkedPart[] {
  const parts: MarkedPart[] = []
  let at = 0
  const add = (end: number, finding: Finding | null) => {
    if (end > at) parts.push({ start: at, text: text.slice(at, end), finding })
    at = Math.max(at, end)
  }
  for (const finding of findings) {
    add(finding.start, null)
    add(finding.end, finding)
  }
  add(text.length, null)
  return parts
}
