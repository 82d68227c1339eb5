import type { Trace } from '#contracts/entities/trace.ts'

/** A page of the list, as the route answers it. */
export interface TracePage {
  items: Trace[]
  nextCursor: string | null
  total: number
}

/** Rows of all pages, each once: a row that moved between two page loads may come twice. */
export function rowsOf(pages: readonly TracePage[]): Trace[] {
  const seen = new Set<string>()
  return pages.flatMap((page) => page.items).filter(({ id }) => (seen.has(id) ? false : seen.add(id)))
}

/**
 * "12 new": how many more the filter matches now than when the list was read. Sessions that came in but do not match
 * the filter are not announced; without any arrival a changed count is no news (a decision moved rows out or in).
 */
export function countNew(arrived: number, matchingNow: number | undefined, listed: number | undefined): number {
  if (arrived === 0 || matchingNow === undefined || listed === undefined) return 0
  return Math.min(arrived, Math.max(0, matchingNow - listed))
}
