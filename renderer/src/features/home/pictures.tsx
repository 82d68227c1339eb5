import { Suspense, lazy } from 'react'
import { useLocation } from 'wouter'
import type { HomeOverview } from '#contracts/entities/system.ts'
import { tracesHref } from '#renderer/api/links.ts'
import { UnverifiedCount } from './unverified-count.tsx'
import { ChartFrame } from '#renderer/ui/charts/chart-frame.tsx'
import { YearStrip } from '#renderer/ui/charts/year-strip.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useToday } from '#renderer/ui/relative-time.tsx'
import { Skeleton } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { MARKS, TierMark, markWord } from '#renderer/ui/tier-mark.tsx'
import { dayTotal, daysOfWeek, daysQuery, daysSentence, trendSentence, weeksOf } from './days.ts'

const StackedBars = lazy(() => import('#renderer/ui/charts/stacked-bars.tsx'))

/** Pending is hatched: its grey is near to silver's, and colour never stands alone. */
const colorOf = (mark: (typeof MARKS)[number]) => (mark === 'pending' ? 'url(#hatch-pending)' : `var(--${mark})`)

const Hatch = () => (
  <svg aria-hidden width="0" height="0" className="absolute">
    <defs>
      <pattern id="hatch-pending" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="4" height="4" fill="var(--panel)" />
        <rect width="2" height="4" fill="var(--pending)" />
      </pattern>
    </defs>
  </svg>
)

const series = MARKS.map((id) => ({ id, label: markWord(id), color: colorOf(id) }))

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
    <ChartFrame
      title="Sessions per day, last year"
      summary={sentence}
      legend={
        <>
          <Hatch />
          <Legend />
        </>
      }
      table={
        <Table
          caption="Sessions per day, by tier"
          rows={active.toReversed()}
          keyOf={(day) => day.day}
          columns={[
            { id: 'day', label: 'Day', cell: (day) => <TextLink href={tracesHref(daysQuery([day.day]))}>{day.day}</TextLink> },
            ...MARKS.map((mark) => ({
              id: mark,
              label: markWord(mark),
              numeric: true,
              cell: (day: (typeof days)[number]) => formatCount(day[mark]),
            })),
            { id: 'all', label: 'All', numeric: true, cell: (day) => formatCount(dayTotal(day)) },
          ]}
        />
      }
    >
      <YearStrip
        label={sentence}
        last={today}
        days={active.map((day) => ({
          day: day.day,
          label: `${day.day}, ${MARKS.flatMap((mark) => (day[mark] > 0 ? [`${day[mark]} ${markWord(mark).toLowerCase()}`] : [])).join(', ')}`,
          parts: MARKS.map((mark) => ({ color: colorOf(mark), value: day[mark] })),
        }))}
        onOpen={(day) => go(tracesHref(daysQuery([day])))}
      />
    </ChartFrame>
  )
}

const WEEKS = 26

export function TierTrend({ days }: { days: HomeOverview['days'] }) {
  const [, go] = useLocation()
  const weeks = weeksOf(days, useToday(), WEEKS)
  const queryOf = (from: string) => daysQuery(daysOfWeek(from))
  return (
    <ChartFrame
      title="Tiers over time"
      summary={trendSentence(weeks)}
      legend={<Legend />}
      table={
        <Table
          caption="Sessions per week, by tier"
          rows={weeks.toReversed()}
          keyOf={(week) => week.from}
          columns={[
            { id: 'week', label: 'Week of', cell: (week) => <TextLink href={tracesHref(queryOf(week.from))}>{week.from}</TextLink> },
            ...MARKS.map((mark) => ({
              id: mark,
              label: markWord(mark),
              numeric: true,
              cell: (week: (typeof weeks)[number]) => formatCount(week[mark]),
            })),
          ]}
        />
      }
    >
      <Suspense fallback={<Skeleton className="h-[200px] w-full" />}>
        <StackedBars
          unit="sessions per week"
          series={series}
          rows={weeks.map(({ from, ...counts }) => ({ label: from.slice(5), ...counts }))}
          onOpen={(index) => {
            const week = weeks[index]
            if (week) go(tracesHref(queryOf(week.from)))
          }}
        />
      </Suspense>
    </ChartFrame>
  )
}
