import { formatCount } from '../format.ts'

export interface StripDay {
  /** YYYY-MM-DD */
  day: string
  /** Parts of the day from bottom to top. */
  parts: { color: string; value: number }[]
  label: string
}

const CELL = 12
const GAP = 3
const PITCH = CELL + GAP
const TOP = 18
const LEFT = 32
/** Font size in the drawing; the narrowest page scales it by 0.97. */
const LABEL = 12.4
const MIN_WEEKS = 16
const MAX_WEEKS = 53
const WEEK_MS = 7 * 86_400_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export interface PlacedDay extends StripDay {
  week: number
  weekday: number
}

const mondayOf = (day: string): number => {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return ms - ((new Date(ms).getUTCDay() + 6) % 7) * 86_400_000
}

/** Number of weeks from the first day to the last, within limits. */
export const weeksBetween = (first: string, last: string): number =>
  Math.min(MAX_WEEKS, Math.max(MIN_WEEKS, Math.round((mondayOf(last) - mondayOf(first)) / WEEK_MS) + 1))

/** Columns of weeks from Monday on; `last` is in the last column. Dates have no time zone. */
export function placeDays(days: readonly StripDay[], last: string, weeks: number): PlacedDay[] {
  const firstMs = mondayOf(last) - (weeks - 1) * WEEK_MS
  return days.flatMap((day) => {
    const index = Math.round((Date.parse(`${day.day}T00:00:00Z`) - firstMs) / 86_400_000)
    return index < 0 || index >= weeks * 7 ? [] : [{ ...day, week: Math.floor(index / 7), weekday: index % 7 }]
  })
}

/** Days since the first, a year at most, each filled by the shares of its parts, not by their counts. */
export function YearStrip({
  days,
  first,
  last,
  label,
  onOpen,
}: {
  days: readonly StripDay[]
  first: string
  last: string
  label: string
  onOpen?: (day: string) => void
}) {
  const weeks = weeksBetween(first, last)
  const placed = placeDays(days, last, weeks)
  const filled = new Map(placed.map((day) => [day.week * 7 + day.weekday, day]))
  const lastIndex = (weeks - 1) * 7 + ((new Date(`${last}T00:00:00Z`).getUTCDay() + 6) % 7)
  const width = weeks * PITCH + LEFT
  return (
    <svg viewBox={`0 0 ${width} ${TOP + 7 * PITCH}`} width="100%" role="img" aria-label={label} style={{ maxWidth: width * 1.2 }}>
      {monthLabels(last, weeks).map(({ week, text }) => (
        <text key={week} x={LEFT + week * PITCH} y={11} fontSize={LABEL} fill="var(--second)">
          {text}
        </text>
      ))}
      {['Mon', 'Wed', 'Fri'].map((text, index) => (
        <text key={text} x={0} y={TOP + index * 2 * PITCH + 10} fontSize={LABEL} fill="var(--second)">
          {text}
        </text>
      ))}
      {Array.from({ length: lastIndex + 1 }, (_, index) => {
        const day = filled.get(index)
        const x = LEFT + Math.floor(index / 7) * PITCH
        const y = TOP + (index % 7) * PITCH
        return day ? (
          <Cell key={index} day={day} x={x} y={y} onOpen={onOpen} />
        ) : (
          <rect key={index} x={x} y={y} width={CELL} height={CELL} rx={2} fill="var(--raised)" />
        )
      })}
    </svg>
  )
}

function Cell({ day, x, y, onOpen }: { day: PlacedDay; x: number; y: number; onOpen: ((day: string) => void) | undefined }) {
  const total = day.parts.reduce((sum, { value }) => sum + value, 0)
  return (
    // for the pointer only; the table of the chart has the same links
    <g onClick={onOpen ? () => onOpen(day.day) : undefined} className={onOpen ? 'cursor-pointer' : undefined}>
      <title>{`${day.label}: ${formatCount(total)}`}</title>
      <rect x={x} y={y} width={CELL} height={CELL} rx={2} fill="var(--raised)" />
      {day.parts.map(({ color, value }, index) => {
        const under = day.parts.slice(0, index + 1).reduce((sum, part) => sum + part.value, 0)
        return value === 0 ? null : (
          <rect key={color} x={x} y={y + CELL * (1 - under / total)} width={CELL} height={(value / total) * CELL} fill={color} />
        )
      })}
    </g>
  )
}

function monthLabels(last: string, weeks: number): { week: number; text: string }[] {
  const monday = mondayOf(last)
  let previousMonth = -1
  return Array.from({ length: weeks }, (_, week) => ({
    week,
    month: new Date(monday - (weeks - 1 - week) * WEEK_MS).getUTCMonth(),
  })).flatMap(({ week, month }) => {
    const isNew = month !== previousMonth
    previousMonth = month
    // a month that ends in the first column would overlap the next name
    return isNew && week > 0 && week < weeks - 1 ? [{ week, text: MONTHS[month] ?? '' }] : []
  })
}
