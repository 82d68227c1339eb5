import { formatCount } from '#renderer/ui/format.ts'
import type { filterStateOf } from '../url-state.ts'

/**
 * How many more sessions match the filter than when the list was loaded ("12 new"). 0 if no session arrived, because then
 * a decision changed the count.
 */
export function countNew(arrivedCount: number, matchingNow: number | undefined, listedCount: number | undefined): number {
  if (arrivedCount === 0 || matchingNow === undefined || listedCount === undefined) return 0
  return Math.min(arrivedCount, Math.max(0, matchingNow - listedCount))
}

/** The sentence below the list, announced when it changes. */
export function countSentence(total: number, filter: ReturnType<typeof filterStateOf>, isLowerBound: boolean): string {
  const sessions = `${formatCount(total)}${isLowerBound ? ' or more' : ''} ${total === 1 ? 'session' : 'sessions'}`
  if (filter === 'unread') return `${sessions}; the filter is not valid, so it is not applied`
  if (filter === 'applied') return `${sessions} ${total === 1 ? 'matches' : 'match'}`
  return sessions
}
