import { useMemo } from 'react'
import type { z } from 'zod'
import type { TraceFacets } from '#contracts/routes/traces.ts'
import { cn } from '#renderer/ui/cn.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { MARKS } from '#renderer/ui/tier-mark.tsx'
import { binDays, type Bin } from './day-bins.ts'

type Days = NonNullable<z.infer<typeof TraceFacets>['days']>

const HEIGHT = 34
const FILL = {
  gold: 'var(--gold)',
  silver: 'var(--silver)',
  bronze: 'var(--bronze)',
  failed: 'var(--failed)',
  // its grey is close to silver's, so it also has a pattern
  pending: 'var(--pending-hatch)',
} as const

/** Reserves the height while the days are loading, so that the list below does not jump. */
export const HistogramPlaceholder = () => (
  <div aria-hidden data-loading="days" className="border-b border-line px-4 pt-2 pb-1">
    <div style={{ height: HEIGHT }} />
    <p className="text-xs">&nbsp;</p>
  </div>
)

/** Sessions per day under the filter, stacked by tier. A click on a bar narrows the list to its days. */
export function Histogram({
  days,
  chosen,
  onChoose,
}: {
  days: Days | undefined
  /** Values of the filter's `day:`. */
  chosen: readonly string[]
  onChoose: (days: string | null) => void
}) {
  const bins = useMemo(() => binDays(days ?? []), [days])
  const maxTotal = Math.max(1, ...bins.map(({ total }) => total))
  if (days === undefined) return <HistogramPlaceholder />
  if (bins.length < 2) return null
  const sum = bins.reduce((total, bin) => total + bin.total, 0)
  return (
    <div
      role="group"
      aria-label={`Sessions by day: ${plural(sum, 'session')} from ${bins[0]?.from} to ${bins.at(-1)?.to}, at most ${maxTotal} per bar`}
      className="border-b border-line px-4 pt-2 pb-1"
    >
      <div className="flex items-end gap-px" style={{ height: HEIGHT }}>
        {bins.map((bin) => {
          const days = bin.from === bin.to ? bin.from : `${bin.from}..${bin.to}`
          const isChosen = chosen.some((value) => coversBar(value, bin))
          return (
            <button
              key={bin.from}
              type="button"
              disabled={bin.total === 0}
              aria-pressed={isChosen}
              title={describe(bin)}
              aria-label={describe(bin)}
              onClick={() => onChoose(chosen.includes(days) ? null : days)}
              className={cn(
                'focus-inset flex h-full min-w-0 flex-1 flex-col-reverse hover:bg-raised',
                isChosen && 'bg-raised outline-1 outline-accent',
              )}
            >
              {MARKS.map((tier) =>
                bin[tier] > 0 ? (
                  <span
                    key={tier}
                    aria-hidden
                    className="w-full"
                    style={{ height: Math.max(2, (bin[tier] / maxTotal) * HEIGHT), background: FILL[tier] }}
                  />
                ) : null,
              )}
            </button>
          )
        })}
      </div>
      <p aria-hidden className="flex justify-between text-xs text-second">
        <span>{bins[0]?.from}</span>
        <span>{bins.at(-1)?.to}</span>
      </p>
    </div>
  )
}

/** Whether a day or range (`2026-11-01..2026-11-20`) includes all days of a bar. */
function coversBar(value: string, bin: Bin): boolean {
  const [first = '', last = first] = value.split('..')
  return first <= bin.from && bin.to <= last
}

function describe(bin: Bin): string {
  const when = bin.from === bin.to ? bin.from : `${bin.from} to ${bin.to}`
  const tiers = MARKS.filter((tier) => bin[tier] > 0).map((tier) => `${formatCount(bin[tier])} ${tier}`)
  return `${when}: ${plural(bin.total, 'session')}${tiers.length > 0 ? ` (${tiers.join(', ')})` : ''}`
}
