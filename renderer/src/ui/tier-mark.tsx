import { Pen } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

/** Each grade has its own shape, so that colour is not the only difference. */
export type Mark = 'gold' | 'silver' | 'bronze' | 'failed' | 'pending'
export const MARKS: readonly Mark[] = ['gold', 'silver', 'bronze', 'failed', 'pending']

const WORD: Record<Mark, string> = { gold: 'Gold', silver: 'Silver', bronze: 'Bronze', failed: 'Failed', pending: 'Pending' }
const INK: Record<Mark, string> = {
  gold: 'text-gold',
  silver: 'text-silver',
  bronze: 'text-bronze',
  failed: 'text-failed',
  pending: 'text-pending',
}

export const markWord = (mark: Mark): string => WORD[mark]

const SHAPE: Record<Mark, ReactNode> = {
  gold: (
    <path
      d="M6 .6l1.62 3.5 3.83.45-2.83 2.62.75 3.78L6 9.07l-3.37 1.88.75-3.78L.55 4.55l3.83-.45z"
      fill="var(--gold-fill)"
      stroke="currentColor"
      strokeWidth=".8"
    />
  ),
  silver: <path d="M6 .7 11.3 6 6 11.3.7 6z" fill="currentColor" />,
  bronze: <circle cx="6" cy="6" r="4.6" fill="currentColor" />,
  failed: <path d="m2.2 2.2 7.6 7.6m0-7.6-7.6 7.6" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />,
  pending: <circle cx="6" cy="6" r="4.4" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2.6 2" />,
}

/** `own`: set by the user, shown by a pen. `unverified`: only an outline. `word`: with the name next to it. */
export function TierMark({
  mark,
  own = false,
  unverified = false,
  word = false,
  className,
}: {
  mark: Mark
  own?: boolean
  unverified?: boolean
  word?: boolean
  className?: string
}) {
  const name = own ? `${WORD[mark]}, set by you` : unverified ? `${WORD[mark]}, unverified` : WORD[mark]
  return (
    <span className={cn('inline-flex items-center gap-1.5 align-middle whitespace-nowrap', className)}>
      <svg
        viewBox="0 0 12 12"
        width="12"
        height="12"
        className={cn('shrink-0', INK[mark])}
        {...(word ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name })}
      >
        {unverified ? <g className="[&>path]:fill-none [&>path]:stroke-current">{SHAPE[mark]}</g> : SHAPE[mark]}
      </svg>
      {word ? <span>{WORD[mark]}</span> : null}
      {word && unverified ? <span className="text-xs text-second">unverified</span> : null}
      {own ? (
        <Pen
          size={10}
          aria-hidden={!word}
          {...(word ? { role: 'img', 'aria-label': 'set by you' } : {})}
          className="shrink-0 text-second"
        />
      ) : null}
    </span>
  )
}
