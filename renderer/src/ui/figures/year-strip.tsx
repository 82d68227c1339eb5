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
const WEEKS = 53
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export interface PlacedDay extends StripDay {
  week: number
  weekday: number
}

/** Columns of weeks from Monday on; `last` is in the last column. Dates have no time zone. */
export function placeDays(days: readonly StripDay[], last: string): PlacedDay[] {
  const lastMs = Date.parse(`${last}T00:00:00Z`)
  const lastWeekday = (new Date(lastMs).getUTCDay() + 6) % 7
  const firstMs = lastMs - (lastWeekday + (WEEKS - 1) * 7) * 86_400_000
  return days.flatMap((day) => {
    const index = Math.round((Date.parse(`${day.day}T00:00:00Z`) - firstMs) / 86_400_000)
    return index < 0 || index >= WEEKS * 7 ? [] : [{ ...day, week: Math.floor(index / 7), weekday: index % 7 }]
  })
}

/** A year of days, each filled by the shares of its parts, not by their counts. */
export function YearStrip({
  days,
  last,
  label,
  onOpen,
}: {
  days: readonly StripDay[]
  last: string
  label: string
  onOpen?: (day: string) => void
}) {
  const placed = placeDays(days, last)
  const filled = new Map(placed.map((day) => [day.week * 7 + day.weekday, day]))
  const lastIndex = (WEEKS - 1) * 7 + ((new Date(`${last}T00:00:00Z`).getUTCDay() + 6) % 7)
  const width = WEEKS * PITCH + LEFT
  return (
    <svg viewBox={`0 0 ${width} ${TOP + 7 * PITCH}`} width="100%" role="img" aria-label={label} className="max-w-[1000px]">
      {monthLabels(last).map(({ week, text }) => (
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

function monthLabels(last: string): { week: number; text: string }[] {
  const lastMs = Date.parse(`${last}T00:00:00Z`)
  const monday = lastMs - ((new Date(lastMs).getUTCDay() + 6) % 7) * 86_400_000
  let previousMonth = -1
  return Array.from({ length: WEEKS }, (_, week) => ({
    week,
    month: new Date(monday - (WEEKS - 1 - week) * 7 * 86_400_000).getUTCMonth(),
  })).flatMap(({ week, month }) => {
    const isNew = month !== previousMonth
    previousMonth = month
    // a month that ends in the first column would overlap the next name
    return isNew && week > 0 && week < WEEKS - 1 ? [{ week, text: MONTHS[month] ?? '' }] : []
  })
}
