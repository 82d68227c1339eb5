import { cn } from './cn.ts'

const fills = { accent: 'bg-accent', ok: 'bg-ok', warn: 'bg-warn', bad: 'bg-bad', neutral: 'bg-second' } as const

/** `value` is a share between 0 and 1, or null while the total is not known (hatched, so that it doesn't look done). */
export function Progress({ label, value, className }: { label: string; value: number | null; className?: string }) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className={cn('h-1.5 overflow-hidden rounded-full bg-raised', className)}
    >
      <div
        className={cn('h-full rounded-full bg-accent', percent === null && 'unmeasured w-full')}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  )
}

/** A measured value between 0 and 1 as a bar; `tick` marks its threshold. Null draws nothing. */
export function Meter({
  label,
  value,
  tick,
  tone = 'accent',
  text,
  className,
}: {
  label: string
  value: number | null
  tick?: number | null
  tone?: keyof typeof fills
  /** The value in words for screen readers, e.g. "0.82 of 1, gold from 0.75". */
  text: string
  className?: string
}) {
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={1}
      aria-valuenow={value ?? 0}
      aria-valuetext={text}
      className={cn('relative h-2 rounded-sm bg-raised', className)}
    >
      {value === null ? null : (
        <div className={cn('h-full rounded-sm', fills[tone])} style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }} />
      )}
      {tick === undefined || tick === null ? null : (
        <div className="absolute -inset-y-0.5 w-0.5 bg-text" style={{ left: `calc(${tick * 100}% - 1px)` }} />
      )}
    </div>
  )
}

export interface Share {
  id: string
  label: string
  value: number
  /** A CSS colour, usually `var(--…)`. */
  color: string
  text: string
}

/** Parts of a whole as one bar with its legend. */
export function ShareBar({ label, shares }: { label: string; shares: Share[] }) {
  const total = shares.reduce((sum, { value }) => sum + value, 0)
  return (
    <div className="flex flex-col gap-2">
      <div
        role="img"
        aria-label={`${label}: ${shares.map((share) => `${share.label} ${share.text}`).join(', ')}`}
        className="flex h-3 gap-px overflow-hidden rounded-sm bg-raised"
      >
        {total > 0
          ? shares.map((share) => (
              <div
                key={share.id}
                style={{ width: `${(share.value / total) * 100}%`, minWidth: share.value > 0 ? 3 : 0, background: share.color }}
              />
            ))
          : null}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-second">
        {shares.map((share) => (
          <li key={share.id} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-[2px]" style={{ background: share.color }} />
            {share.label} <span className="text-text">{share.text}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
