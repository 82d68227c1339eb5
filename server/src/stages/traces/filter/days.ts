const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Days from 0001-01-01 to 1970-01-01: counted from there, no time of a session is negative. */
const ERA_DAYS = 719_162
/** Outside these times the clock offset is taken from the nearest one. */
const FIRST = Date.UTC(2000, 0, 1)
const LAST = Date.now() + 730 * DAY_MS
/** Clocks are never changed twice within a week. */
const STEP_MS = 7 * DAY_MS

/** Offset of a clock from UTC at a time, in ms. */
type Clock = (time: number) => number

/**
 * SQL: the day on which a session started according to this clock, as days since 0001-01-01. SQLite's own local time
 * would call the C library for each row.
 */
export function daySql(clock: Clock): string {
  const shift = (time: number) => String(clock(time) + ERA_DAYS * DAY_MS)
  const cases = changesOf(clock).toReversed() // most sessions are recent
  const since = cases.map((time) => `WHEN t.started_at >= ${time} THEN ${shift(time)}`).join(' ')
  return `((t.started_at + ${since ? `CASE ${since} ELSE ${shift(FIRST)} END` : shift(FIRST)}) / ${DAY_MS})`
}

/** The day by the clock of this machine. */
export const DAY = daySql((time) => -new Date(time).getTimezoneOffset() * MINUTE_MS)

/** The name of a day, as in 2026-11-21. */
export const dayName = (day: number): string => new Date((day - ERA_DAYS) * DAY_MS).toISOString().slice(0, 10)

/**
 * First and last day of `2026-11-21` or `2026-11-01..2026-11-21`; null if the text names no day. A bound that is only a
 * month or a year means its start, and the 31st of a shorter month means its end.
 */
export function daysOf(text: string): [number | null, number | null] {
  const [first = '', last = first] = text.split('..')
  const begin = lastUpTo(first)
  return [begin === null || dayName(begin) === first ? begin : begin + 1, lastUpTo(last)]
}

/** The last day whose name is not after the text. */
function lastUpTo(text: string): number | null {
  const time = /^\d{4}(-\d\d){0,2}$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) return null
  let day = time / DAY_MS + ERA_DAYS
  while (dayName(day) > text) day -= 1
  return day
}

/** When a clock changes (summer time), to the minute. */
function changesOf(clock: Clock): number[] {
  const changes: number[] = []
  for (let time = FIRST; time < LAST; time += STEP_MS) {
    if (clock(time) === clock(time + STEP_MS)) continue
    let [before, after] = [time, time + STEP_MS]
    while (after - before > MINUTE_MS) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS
      if (clock(middle) === clock(time)) before = middle
      else after = middle
    }
    changes.push(after)
  }
  return changes
}
