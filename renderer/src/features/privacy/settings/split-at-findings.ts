import type { Finding } from '#contracts/entities/privacy.ts'

export interface MarkedPart {
  start: number
  text: string
  finding: Finding | null
}

/** Splits a text at its findings. Findings are sorted and do not overlap, as the detectors return them. */
export function splitAtFindings(text: string, findings: readonly Finding[]): MarkedPart[] {
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
