import type { Finding } from './types.ts'

/** Sorted, none overlapping: the longest first, then the most confident; a finding below 0.5 never hides a better one. */
export function resolve(findings: readonly Finding[]): Finding[] {
  const ranked = findings.toSorted(
    (a, b) =>
      Number(b.confidence >= 0.5) - Number(a.confidence >= 0.5) ||
      b.end - b.start - (a.end - a.start) ||
      b.confidence - a.confidence ||
      a.start - b.start,
  )
  const kept: Finding[] = []
  for (const finding of ranked) {
    const at = placeFor(kept, finding.start)
    if ((kept[at - 1]?.end ?? 0) > finding.start || (kept[at]?.start ?? Number.POSITIVE_INFINITY) < finding.end) continue
    kept.splice(at, 0, finding)
  }
  return kept
}

/** Index of the first kept finding that starts at `start` or later. */
function placeFor(kept: readonly Finding[], start: number): number {
  let low = 0
  let high = kept.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (kept[middle]!.start < start) low = middle + 1
    else high = middle
  }
  return low
}
