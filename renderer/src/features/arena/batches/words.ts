import { Ban, CheckCheck, CircleCheck, CircleDollarSign, CircleSlash, CircleX, Loader, RotateCcw, type LucideIcon } from 'lucide-react'
import type { Batch, BatchOutcome, BatchRate } from '#contracts/entities/batch.ts'
import type { Tone } from '#renderer/ui/badge.tsx'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'

export const BATCH_STATES: Record<Batch['state'], { label: string; tone: Tone; icon: LucideIcon; ink: string; description: string }> = {
  running: { label: 'Running', tone: 'accent', icon: Loader, ink: 'text-accent', description: 'Its attempts are made, some at a time.' },
  done: { label: 'Done', tone: 'neutral', icon: CheckCheck, ink: 'text-text', description: 'No attempt waits.' },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: Ban, ink: 'text-second', description: 'It was cancelled before its end.' },
  stopped: {
    label: 'Cost reached',
    tone: 'warn',
    icon: CircleDollarSign,
    ink: 'text-warn',
    description: 'Its runs cost as much as they may.',
  },
}

export const OUTCOMES: Record<BatchOutcome, { label: string; icon: LucideIcon; ink: string; description: string }> = {
  passed: { label: 'Passed', icon: CircleCheck, ink: 'text-ok', description: 'The checks passed.' },
  failed: { label: 'Failed', icon: CircleX, ink: 'text-bad', description: 'The checks failed, or the work did.' },
  unverified: { label: 'Unverified', icon: CircleSlash, ink: 'text-warn', description: 'It ended, and no check was found.' },
  owed: { label: 'Owed', icon: RotateCcw, ink: 'text-second', description: 'Something other than the work kept it from a result.' },
}

export const endedOf = ({ passed, failed, unverified, owed }: Batch['counts']): number => passed + failed + unverified + owed

/** Attempts that another start would make. */
export const openOf = ({ waiting, owed }: Batch['counts']): number => waiting + owed

/** "2 passed, 1 failed, 3 waiting" */
export function countsLine(counts: Batch['counts']): string {
  const words = (['passed', 'failed', 'unverified', 'owed', 'running', 'waiting'] as const).flatMap((one) =>
    counts[one] > 0 ? [`${formatCount(counts[one])} ${one}`] : [],
  )
  return words.join(', ')
}

type Interval = Pick<BatchRate, 'rate' | 'low' | 'high'>

/** "67 %", or that none is known. */
export const rateWord = ({ rate }: Pick<Interval, 'rate'>): string => (rate === null ? 'not measured' : formatPercent(rate))

/** "21 % to 94 %" */
export const intervalWord = ({ low, high }: Pick<Interval, 'low' | 'high'>): string =>
  low === null || high === null ? '' : `${formatPercent(low)} to ${formatPercent(high)}`

/** The rate with its interval, and what it does not count. */
export function rateSentence(rate: BatchRate): string {
  const { passed, failed, unverified, owed } = rate
  const left = [unverified > 0 && `${formatCount(unverified)} unverified`, owed > 0 && `${formatCount(owed)} owed`].filter(Boolean)
  const besides = left.length === 0 ? '' : ` ${left.join(' and ')} not counted.`
  if (rate.rate === null) return `No attempt has passed or failed yet, so no rate is known.${besides}`
  return `${formatCount(passed)} of ${plural(passed + failed, 'attempt')} passed: ${rateWord(rate)}, 95 % interval ${intervalWord(rate)}.${besides}`
}

/** An ETA says something once so many attempts have ended. */
const WARM = 3

/** Seconds until the last attempt has ended, if attempts go on taking what the median took; null: not to be told yet. */
export function secondsLeft({ state, counts, concurrency }: Batch, medianMs: number | null): number | null {
  const left = counts.waiting + counts.running
  if (state !== 'running' || left === 0 || medianMs === null || endedOf(counts) < WARM) return null
  return (medianMs * Math.ceil(left / concurrency)) / 1000
}
