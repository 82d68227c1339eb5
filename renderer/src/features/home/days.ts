import { OWN_WORK } from '#contracts/filter.ts'
import type { HomeOverview } from '#contracts/entities/system.ts'
import { MARKS, markWord, type Mark } from '#renderer/ui/tier-mark.tsx'
import { formatPercent, plural } from '#renderer/ui/format.ts'

export type Day = HomeOverview['days'][number]

export const dayTotal = (day: Pick<Day, Mark>): number => MARKS.reduce((sum, mark) => sum + day[mark], 0)

/** The marks, with unverified gold as its own grade. */
export type Grade = Mark | 'unverified'
export const GRADES: readonly Grade[] = MARKS.flatMap((mark): Grade[] => (mark === 'gold' ? ['gold', 'unverified'] : [mark]))
export const gradeWord = (grade: Grade): string => (grade === 'unverified' ? 'Gold, unverified' : markWord(grade))
/** A day's `gold` includes unverified gold. */
export const gradeCount = (counts: Record<Grade, number>, grade: Grade): number =>
  grade === 'gold' ? counts.gold - counts.unverified : counts[grade]

export interface Week extends Record<Grade, number> {
  /** Monday, YYYY-MM-DD. */
  from: string
}

const mondayOf = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

/** The last `count` weeks up to the one of `last`, oldest first; weeks without sessions are included with zeros. */
export function weeksOf(days: readonly Day[], last: string, count: number): Week[] {
  const newest = Date.parse(`${mondayOf(last)}T00:00:00Z`)
  const weeks = new Map<string, Week>(
    Array.from({ length: count }, (_, index) => {
      const from = new Date(newest - (count - 1 - index) * 7 * 86_400_000).toISOString().slice(0, 10)
      return [from, { from, gold: 0, unverified: 0, silver: 0, bronze: 0, failed: 0, pending: 0 }]
    }),
  )
  for (const day of days) {
    const week = weeks.get(mondayOf(day.day))
    if (!week) continue
    for (const mark of MARKS) week[mark] += day[mark]
    week.unverified += day.unverified
  }
  return [...weeks.values()]
}

/** "214 sessions on 61 days: 31 % gold, 24 % silver, …"; the shares are of all sessions, scored or not. */
export function daysSentence(days: readonly Day[]): string {
  const active = days.filter((day) => dayTotal(day) > 0)
  const total = active.reduce((sum, day) => sum + dayTotal(day), 0)
  if (total === 0) return 'No sessions in this period.'
  const shares = GRADES.flatMap((grade) => {
    const count = active.reduce((sum, day) => sum + gradeCount(day, grade), 0)
    const word = grade === 'unverified' ? 'unverified gold' : gradeWord(grade).toLowerCase()
    return count > 0 ? [`${formatPercent(count / total)} ${word}`] : []
  })
  return `${plural(total, 'session')} on ${plural(active.length, 'day')}: ${shares.join(', ')}.`
}

/** Gold and silver in the last four weeks and in the four before. A period without scored sessions is not compared. */
export function trendSentence(weeks: readonly Week[]): string {
  const share = (part: readonly Week[]) => {
    const scored = part.reduce((sum, week) => sum + dayTotal(week) - week.pending, 0)
    const good = part.reduce((sum, week) => sum + week.gold + week.silver, 0)
    return scored === 0 ? null : { share: good / scored, scored }
  }
  const now = share(weeks.slice(-4))
  const before = share(weeks.slice(-8, -4))
  if (!now) return 'No scored sessions in the last 4 weeks.'
  const head = `Gold and silver were ${formatPercent(now.share)} of ${plural(now.scored, 'scored session')} in the last 4 weeks`
  return before ? `${head}, ${formatPercent(before.share)} of ${before.scored.toLocaleString('en-US')} in the 4 weeks before.` : `${head}.`
}

/** The filter for the user's sessions that began on these days. */
export const daysQuery = (days: readonly string[]): string => `day:${days.join(',')} ${OWN_WORK}`

/** The seven days from a Monday on. */
export const daysOfWeek = (from: string): string[] =>
  Array.from({ length: 7 }, (_, index) => new Date(Date.parse(`${from}T00:00:00Z`) + index * 86_400_000).toISOString().slice(0, 10))

/** The filter for sessions that ended since local midnight; it counts back from now, because the filter language does. */
export const todayQuery = (now: number = Date.now()): string =>
  `age:<${Math.max(1, Math.ceil((now - new Date(now).setHours(0, 0, 0, 0)) / 60_000))}m`
