import { formatCount } from '#renderer/ui/format.ts'
import type { filterStateOf } from '../url-state.ts'

/**
 * "12 new": how many more the filter matches now than when the list was read. Sessions that came in but do not match
 * the filter are not announced; without any arrival a changed count is no news (a decision moved rows out or in).
 */
export function countNew(arrived: number, matchingNow: number | undefined, listed: number | undefined): number {
  if (arrived === 0 || matchingNow === undefined || listed === undefined) return 0
  return Math.min(arrived, Math.max(0, matchingNow - listed))
}

/** The sentence below the list, announced when it changes. */
export function countSentence(total: number, filter: ReturnType<typeof filterStateOf>, isLowerBound: boolean): string {
  const sessions = `${formatCount(total)}${isLowerBound ? ' or more' : ''} ${total === 1 ? 'session' : 'sessions'}`
  if (filter === 'unread') return `${sessions}; the filter is not valid, so it is not applied`
  if (filter === 'applied') return `${sessions} ${total === 1 ? 'matches' : 'match'}`
  return sessions
}
