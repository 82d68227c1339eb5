import { expect, test } from 'vitest'
import { placeDays, weeksBetween, type StripDay } from './year-strip.tsx'

const day = (text: string): StripDay => ({ day: text, parts: [], label: text })

test('weeks start on Monday and the last day is in the last column', () => {
  // 2026-11-21 is a Saturday.
  const [saturday, monday, sunday] = placeDays([day('2026-11-21'), day('2026-11-16'), day('2026-11-15')], '2026-11-21', 53)
  expect(saturday).toMatchObject({ week: 52, weekday: 5 })
  expect(monday).toMatchObject({ week: 52, weekday: 0 })
  expect(sunday).toMatchObject({ week: 51, weekday: 6 })
})

test('days outside the strip are omitted', () => {
  expect(placeDays([day('2025-11-01'), day('2027-01-01')], '2026-11-21', 53)).toEqual([])
})

test('is as long as the history, with a minimum and a maximum', () => {
  expect(weeksBetween('2026-05-03', '2026-11-21')).toBe(30)
  expect(weeksBetween('2026-11-20', '2026-11-21')).toBe(16)
  expect(weeksBetween('2020-01-01', '2026-11-21')).toBe(53)
})
