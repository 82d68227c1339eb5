import { expect, test } from 'vitest'
import { daysOfWeek, daysQuery, daysSentence, gradeCount, GRADES, todayQuery, trendSentence, weeksOf, type Day } from './days.ts'

const day = (text: string, more: Partial<Day> = {}): Day => ({
  day: text,
  gold: 0,
  unverified: 0,
  silver: 0,
  bronze: 0,
  failed: 0,
  pending: 0,
  ...more,
})

test('weeks begin on Monday and empty weeks are kept', () => {
  const weeks = weeksOf([day('2026-11-16', { gold: 2 }), day('2026-11-21', { gold: 1 }), day('2026-11-01', { failed: 1 })], '2026-11-21', 4)
  expect(weeks.map(({ from, gold, failed }) => [from, gold, failed])).toEqual([
    ['2026-10-26', 0, 1],
    ['2026-11-02', 0, 0],
    ['2026-11-09', 0, 0],
    ['2026-11-16', 3, 0],
  ])
})

test('the sentence counts only days with sessions, and names only tiers that occur', () => {
  expect(daysSentence([day('2026-11-20', { gold: 3 }), day('2026-11-21', { failed: 1 }), day('2026-11-19')])).toBe(
    '4 sessions on 2 days: 75 % gold, 25 % failed.',
  )
  expect(daysSentence([])).toBe('No sessions in this period.')
})

test('pending sessions are not counted as scored, and periods without scores are not compared', () => {
  const weeks = weeksOf([day('2026-11-20', { gold: 1, failed: 1, pending: 8 })], '2026-11-21', 26)
  expect(trendSentence(weeks)).toBe('Gold and silver were 50 % of 2 scored sessions in the last 4 weeks.')
  expect(trendSentence(weeksOf([], '2026-11-21', 26))).toBe('No scored sessions in the last 4 weeks.')
})

test('gold that is not verified is counted by itself', () => {
  const days = [day('2026-11-20', { gold: 3, unverified: 2 }), day('2026-11-21', { failed: 1 })]
  expect(daysSentence(days)).toBe('4 sessions on 2 days: 25 % gold, 50 % unverified gold, 25 % failed.')
  expect(GRADES.map((grade) => gradeCount(weeksOf(days, '2026-11-21', 1)[0]!, grade))).toEqual([1, 2, 0, 0, 1, 0])
})

test('days, weeks and today have filters that list them', () => {
  expect(daysQuery(['2026-11-20'])).toBe('day:2026-11-20 -is:run')
  expect(daysOfWeek('2026-11-30')).toEqual([
    '2026-11-30',
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
    '2026-12-05',
    '2026-12-06',
  ])
  expect(todayQuery(new Date('2026-11-21T10:00:00').getTime())).toBe('age:<600m')
  expect(todayQuery(new Date('2026-11-21T00:00:00').getTime())).toBe('age:<1m')
})
