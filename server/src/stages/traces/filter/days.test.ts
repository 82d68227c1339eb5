import path from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { useFolder } from '#server/testing/folders.ts'
import { daySql, dayName, daysOf } from './days.ts'

const folder = useFolder()
const db = openDatabase(path.join(folder, 'days.db'))
afterAll(() => db.close())

/** The date of a time in this zone, and how far its clock is ahead of UTC, both from the runtime's time zone data. */
function calendar(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const day = (time: number) => format.format(time).slice(0, 10)
  const clock = (time: number) => Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000
  return { day, clock }
}

test.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Africa/Casablanca'])(
  'a day is the calendar day in %s',
  (zone) => {
    const { day, clock } = calendar(zone)
    const select = db.prepare<[number], { day: number }>(`SELECT ${daySql(clock)} AS day FROM (SELECT ? AS started_at) t`)
    const time = fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2026, 11, 1) })
    fc.assert(
      fc.property(time, (at) => {
        expect(dayName(select.get(at)!.day)).toBe(day(at))
      }),
    )
  },
)

test('a filter may name days, months and years; any other text names no day', () => {
  const names = (text: string) => daysOf(text).map((day) => (day === null ? null : dayName(day)))
  expect(names('2026-11-21')).toEqual(['2026-11-21', '2026-11-21'])
  expect(names('2026-02-27..2026-03-02')).toEqual(['2026-02-27', '2026-03-02'])
  expect(names('2026-11..2026-12')).toEqual(['2026-11-01', '2026-11-30'])
  expect(daysOf('yesterday')).toEqual([null, null])
  expect(names('2026-02-01..2026-02-31')).toEqual(['2026-02-01', '2026-02-28'])
  expect(names('2026-02-30')).toEqual(['2026-03-01', '2026-02-28']) // there is no day between them
})
