import type { Finding } from './types.ts'

/** Removes overlaps and sorts by position. Longer findings win, then more confident ones, but none below 0.5 wins over one above. */
export function withoutOverlaps(findings: readonly Finding[]): Finding[] {
  const ranked = findings.toSorted(
    (a, b) =>
      Number(b.confidence >= 0.5) - Number(a.confidence >= 0.5) ||
      b.end - b.start - (a.end - a.start) ||
      b.confidence - a.confidence ||
      a.start - b.start,
  )
  const chosen: Finding[] = []
  for (const finding of ranked) {
    const at = insertionIndex(chosen, finding.start)
    if ((chosen[at - 1]?.end ?? 0) > finding.start || (chosen[at]?.start ?? Number.POSITIVE_INFINITY) < finding.end) continue
    chosen.splice(at, 0, finding)
  }
  return chosen
}

/** Index of the first chosen finding that starts at `start` or later. */
function insertionIndex(chosen: readonly Finding[], start: number): number {
  let low = 0
  let high = chosen.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (chosen[middle]!.start < start) low = middle + 1
    else high = middle
  }
  return low
}
