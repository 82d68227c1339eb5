import { useLocation } from 'wouter'
import type { HomeOverview } from '#contracts/entities/system.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { UnverifiedCount } from './unverified-count.tsx'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { Bars } from '#renderer/ui/figures/pictures.tsx'
import { YearStrip } from '#renderer/ui/figures/year-strip.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useToday } from '#renderer/ui/relative-time.tsx'
import { MARKS, TierMark } from '#renderer/ui/tier-mark.tsx'
import { dayTotal, daysOfWeek, daysQuery, daysSentence, gradeCount, GRADES, gradeWord, trendSentence, weeksOf, type Grade } from './days.ts'

/** Pending is hatched, because its grey is close to silver's. Unverified gold is hatched, too. */
const colorOf = (grade: Grade) => (grade === 'pending' || grade === 'unverified' ? `url(#hatch-${grade})` : `var(--${grade})`)

const Hatch = () => (
  <svg aria-hidden width="0" height="0" className="absolute">
    <defs>
      {(['pending', 'unverified'] as const).map((grade) => (
        <pattern
          key={grade}
          id={`hatch-${grade}`}
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${grade === 'pending' ? 45 : -45})`}
        >
          <rect width="4" height="4" fill="var(--panel)" />
          <rect width="2" height="4" fill={grade === 'pending' ? 'var(--pending)' : 'var(--gold)'} />
        </pattern>
      ))}
    </defs>
  </svg>
)

const series = GRADES.map((id) => ({ id, label: gradeWord(id), color: colorOf(id) }))

const Legend = () => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-second">
    {MARKS.map((mark) => (
      <li key={mark}>
        <TierMark mark={mark} word />
        {mark === 'gold' ? (
          <span className="pl-1">
            <UnverifiedCount />
          </span>
        ) : null}
      </li>
    ))}
  </ul>
)

/** A year of sessions, each day filled by the shares of its tiers. */
export function YearPicture({ days }: { days: HomeOverview['days'] }) {
  const [, go] = useLocation()
  const today = useToday()
  const active = days.filter((day) => dayTotal(day) > 0)
  const sentence = daysSentence(days)
  return (
    <Figure
      title="Sessions per day"
      summary={sentence}
      legend={
        <>
          <Hatch />
          <Legend />
        </>
      }
      table={{
        caption: 'Sessions per day, by tier',
        rows: active.toReversed(),
        keyOf: (day) => day.day,
        columns: [
          { id: 'day', label: 'Day', cell: (day) => <TextLink href={tracesHref(daysQuery([day.day]))}>{day.day}</TextLink> },
          ...GRADES.map((grade) => ({
            id: grade,
            label: gradeWord(grade),
            numeric: true,
            cell: (day: (typeof days)[number]) => formatCount(gradeCount(day, grade)),
          })),
          { id: 'all', label: 'All', numeric: true, cell: (day) => formatCount(dayTotal(day)) },
        ],
      }}
    >
      <YearStrip
        label={sentence}
        first={active[0]?.day ?? today}
        last={today}
        days={active.map((day) => ({
          day: day.day,
          label: `${day.day}, ${GRADES.flatMap((grade) => (gradeCount(day, grade) > 0 ? [`${gradeCount(day, grade)} ${gradeWord(grade).toLowerCase()}`] : [])).join(', ')}`,
          parts: GRADES.map((grade) => ({ color: colorOf(grade), value: gradeCount(day, grade) })),
        }))}
        onOpen={(day) => go(tracesHref(daysQuery([day])))}
      />
    </Figure>
  )
}

const WEEKS = 26

export function TierTrend({ days }: { days: HomeOverview['days'] }) {
  const [, go] = useLocation()
  const weeks = weeksOf(days, useToday(), WEEKS)
  const queryOf = (from: string) => daysQuery(daysOfWeek(from))
  return (
    <Figure
      title="Tiers over time"
      summary={trendSentence(weeks)}
      legend={<Legend />}
      table={{
        caption: 'Sessions per week, by tier',
        rows: weeks.toReversed(),
        keyOf: (week) => week.from,
        columns: [
          { id: 'week', label: 'Week of', cell: (week) => <TextLink href={tracesHref(queryOf(week.from))}>{week.from}</TextLink> },
          ...GRADES.map((grade) => ({
            id: grade,
            label: gradeWord(grade),
            numeric: true,
            cell: (week: (typeof weeks)[number]) => formatCount(gradeCount(week, grade)),
          })),
        ],
      }}
    >
      <Bars
        unit="sessions per week"
        series={series}
        rows={weeks.map((week) => ({
          label: week.from.slice(5),
          ...Object.fromEntries(GRADES.map((grade) => [grade, gradeCount(week, grade)])),
        }))}
        onOpen={(index) => {
          const week = weeks[index]
          if (week) go(tracesHref(queryOf(week.from)))
        }}
      />
    </Figure>
  )
}
