import { Ban, CheckCheck, CircleCheck, CircleDollarSign, CircleSlash, CircleX, Loader, RotateCcw, type LucideIcon } from 'lucide-react'
import type { Batch, BatchOutcome, BatchRate } from '#contracts/entities/batch.ts'
import { formatCount } from '#renderer/ui/format.ts'
import { rateSentence } from '#renderer/app/rates.tsx'
import type { CollectionState } from '#renderer/app/collections.tsx'

export const BATCH_STATES: Record<Batch['state'], CollectionState> = {
  running: { label: 'Running', tone: 'accent', icon: Loader, description: 'Its attempts are running.' },
  done: { label: 'Done', tone: 'neutral', icon: CheckCheck, description: 'All of its attempts have ended.' },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: Ban, description: 'Cancelled before all of its attempts ended.' },
  stopped: { label: 'Cost reached', tone: 'warn', icon: CircleDollarSign, description: 'Stopped at its cost limit.' },
}

export const OUTCOMES: Record<BatchOutcome, { label: string; icon: LucideIcon; ink: string; description: string }> = {
  passed: { label: 'Passed', icon: CircleCheck, ink: 'text-ok', description: 'The checks passed.' },
  failed: { label: 'Failed', icon: CircleX, ink: 'text-bad', description: 'The checks or the agent failed.' },
  unverified: { label: 'Not verified', icon: CircleSlash, ink: 'text-warn', description: "The checks couldn't run, or there are none." },
  owed: { label: 'No result', icon: RotateCcw, ink: 'text-second', description: 'Something other than the work prevented a result.' },
}

export const endedOf = ({ passed, failed, unverified, owed }: Batch['counts']): number => passed + failed + unverified + owed

/** Attempts that a retry would run. */
export const openOf = ({ waiting, owed }: Batch['counts']): number => waiting + owed

/** "2 passed, 1 failed, 3 waiting" */
export function countsLine(counts: Batch['counts']): string {
  const words = (['passed', 'failed', 'unverified', 'owed', 'running', 'waiting'] as const).flatMap((one) =>
    counts[one] > 0
      ? [`${formatCount(counts[one])} ${one === 'owed' ? 'without a result' : one === 'unverified' ? 'not verified' : one}`]
      : [],
  )
  return words.join(', ')
}

export const passSentence = ({ passed, failed, unverified, owed, tasks }: BatchRate): string =>
  rateSentence({
    passed,
    of: passed + failed,
    tasks,
    noun: 'attempt',
    verb: 'passed',
    unknown: 'No attempt has passed or failed yet, so no rate is known.',
    notCounted: [unverified > 0 && `${formatCount(unverified)} not verified`, owed > 0 && `${formatCount(owed)} without a result`],
  })

/** The remaining time is estimated once this many attempts have ended. */
const MIN_ENDED = 3

/** Estimated seconds until the last attempt ends, from the median so far; null if it is too early for an estimate. */
export function secondsLeft({ state, counts, concurrency }: Batch, medianMs: number | null): number | null {
  const remaining = counts.waiting + counts.running
  if (state !== 'running' || remaining === 0 || medianMs === null || endedOf(counts) < MIN_ENDED) return null
  return (medianMs * Math.ceil(remaining / concurrency)) / 1000
}
