import { expect, test } from 'vitest'
import { dueReason, newsIn, nextDate, withUsed } from './schedule.ts'

const at = (date: string) => Date.parse(`${date}T10:00:00Z`)
const isoDate = (ms: number | null) => ms && new Date(ms).toISOString().slice(0, 10)
const due = (now: string, news: 'client' | 'model' | null = null, every: 'week' | 'never' = 'week') =>
  dueReason({ every }, { lastAt: at('2026-03-01'), now: at(now), news })

test('dates are a week or a calendar month after the last reading, and the last day of a shorter month', () => {
  expect(isoDate(nextDate('week', at('2026-03-01')))).toBe('2026-03-08')
  expect(isoDate(nextDate('month', at('2026-01-31')))).toBe('2026-02-28')
  expect(isoDate(nextDate('month', at('2026-12-15')))).toBe('2027-01-15')
  expect(nextDate('never', at('2026-03-01'))).toBeNull()
})

test('a reading is due at its date; ten years that were missed are one', () => {
  expect([due('2026-03-07'), due('2026-03-08'), due('2036-03-08'), due('2036-03-08', null, 'never')]).toEqual([null, 'date', 'date', null])
})

test('a new version makes a reading due, but not within a day of the last', () => {
  expect([due('2026-03-01', 'client'), due('2026-03-02', 'client'), due('2036-01-01', 'model', 'never')]).toEqual([null, 'client', 'model'])
})

test('news is what no session used before, and what was asked for', () => {
  const seen = withUsed({ clients: ['2.1.1'], models: [] }, [{ client: null, models: ['a'] }])
  const both = { afterClient: true, afterModel: true }
  const used = (client: string | null, ...models: string[]) => [{ client, models }]
  expect(newsIn(both, seen, used('2.1.1', 'a'))).toBeNull()
  expect(newsIn(both, seen, used('2.1.2', 'a'))).toBe('client')
  expect(newsIn(both, seen, used('2.1.2', 'b'))).toBe('model')
  expect(newsIn({ afterClient: false, afterModel: false }, seen, used('2.1.2', 'b'))).toBeNull()
  expect(newsIn(both, seen, used(null))).toBeNull()
})
