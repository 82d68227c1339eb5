import { Link } from 'wouter'
import { READING_SHOWS, signed } from '#contracts/exam-words.ts'
import { useReadings, useThermometer } from '#renderer/api/thermometer.ts'
import { THERMOMETER_HREF } from '#renderer/app/links.ts'
import { cn } from '#renderer/ui/cn.ts'
import { DASH } from '#renderer/ui/format.ts'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'

/** The newest reading of the thermometer; nothing while it is off. */
export function ThermometerFigure() {
  const state = useThermometer().data
  const reading = useReadings().data?.pages[0]?.items[0]
  if (state?.isOn !== true) return null
  const change = reading?.change ?? null
  return (
    <>
      <span aria-hidden className="w-px self-stretch bg-line" />
      <Link href={THERMOMETER_HREF} className="group flex min-w-12 flex-col rounded">
        <span className="text-xl leading-7 font-semibold group-hover:text-accent">
          {change?.delta == null ? DASH : signed(change.delta)}
        </span>
        <span className={cn('text-xs', change?.shows === 'fall' ? 'text-bad' : 'text-second')}>
          {state.problem !== null
            ? 'thermometer: a reading is due and cannot start'
            : change === null
              ? 'thermometer: no two readings to compare yet'
              : `thermometer: ${READING_SHOWS[change.shows].toLowerCase()}`}
        </span>
        {reading === undefined ? null : (
          <span className="text-xs text-second">
            read <RelativeTime at={reading.at} />
          </span>
        )}
      </Link>
    </>
  )
}
