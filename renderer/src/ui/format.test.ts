import { expect, test } from 'vitest'
import { formatScore } from '#renderer/app/words/score.ts'
import {
  DASH,
  formatBytes,
  formatCompact,
  formatCount,
  formatDuration,
  formatEta,
  formatPercent,
  formatRelative,
  formatUsd,
  formatOrdinal,
  middleCut,
  plural,
} from './format.ts'

test('an unknown value is a dash, never 0', () => {
  for (const format of [formatCount, formatCompact, formatBytes, formatPercent, formatScore, formatUsd, formatDuration, formatEta]) {
    expect(format(null)).toBe(DASH)
    expect(format(undefined)).toBe(DASH)
    expect(format(Number.NaN)).toBe(DASH)
  }
  expect(formatRelative(null)).toBe(DASH)
  expect(formatRelative('no date')).toBe(DASH)
})

test('a measured 0 is written as 0', () => {
  expect(formatCount(0)).toBe('0')
  expect(formatBytes(0)).toBe('0 B')
  expect(formatPercent(0)).toBe('0 %')
  expect(formatUsd(0)).toBe('$0.00')
})

test('compact counts change their unit at the right place', () => {
  expect(formatCompact(9999)).toBe('9,999')
  expect(formatCompact(12_345)).toBe('12.3k')
  expect(formatCompact(999_499)).toBe('999k')
  expect(formatCompact(999_600)).toBe('1.00M')
  expect(formatCompact(1_234_567)).toBe('1.23M')
})

test('bytes are in units of 1,000 with three digits', () => {
  expect(formatBytes(999)).toBe('999 B')
  expect(formatBytes(1000)).toBe('1.00 kB')
  expect(formatBytes(1_240_000_000)).toBe('1.24 GB')
  expect(formatBytes(999_999)).toBe('1.00 MB')
})

test('a share is never rounded up to 100 % or down to 0 %', () => {
  expect(formatPercent(0.999)).toBe('99 %')
  expect(formatPercent(1)).toBe('100 %')
  expect(formatPercent(0.001)).toBe('< 1 %')
  expect(formatPercent(0.1234, 1)).toBe('12.3 %')
})

test('a cost below a cent does not look free', () => {
  expect(formatUsd(0.004)).toBe('< $0.01')
  expect(formatUsd(1234.5)).toBe('$1,234.50')
})

test('durations use the two largest units', () => {
  expect(formatDuration(340)).toBe('340 ms')
  expect(formatDuration(4200)).toBe('4.2 s')
  expect(formatDuration(59_990)).toBe('1 m 00 s')
  expect(formatDuration(185_000)).toBe('3 m 05 s')
  expect(formatDuration(7_800_000)).toBe('2 h 10 m')
  expect(formatDuration(273_600_000)).toBe('3 d 4 h')
})

test('relative times in the past and in the future', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  expect(formatRelative('2026-11-21T09:59:57Z', now)).toBe('just now')
  expect(formatRelative('2026-11-21T09:56:00Z', now)).toBe('4 min ago')
  expect(formatRelative('2026-11-24T10:00:00Z', now)).toBe('in 3 d')
  expect(formatRelative('2025-01-05T12:00:00Z', now)).toBe('2025-01-05')
})

test('long paths are cut in the middle and keep more of the end', () => {
  expect(middleCut('short', 10)).toBe('short')
  const cut = middleCut('/home/me/work/deeply/nested/project/src/app.ts', 20)
  expect(cut).toHaveLength(20)
  expect(cut.startsWith('/home/m')).toBe(true)
  expect(cut.endsWith('src/app.ts')).toBe(true)
})

test('a count of one takes the singular', () => {
  expect(plural(1, 'session')).toBe('1 session')
  expect(plural(1204, 'session')).toBe('1,204 sessions')
  expect(plural(2, 'entry', 'entries')).toBe('2 entries')
})

test('positions are written as ordinals', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 113].map(formatOrdinal)).toEqual(['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '102nd', '113th']) // prettier-ignore
})
