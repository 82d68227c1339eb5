import { describe, expect, it } from 'vitest'
import { binDays } from './day-bins.ts'

const day = (date: string, gold: number, failed = 0) => ({ day: date, gold, silver: 0, bronze: 0, failed, pending: 0 })

describe('the bars over the list', () => {
  it('keep days without sessions, so that distances are true', () => {
    const bins = binDays([day('2026-11-01', 2), day('2026-11-04', 1, 1)])
    expect(bins.map(({ from, total }) => [from, total])).toEqual([
      ['2026-11-01', 2],
      ['2026-11-02', 0],
      ['2026-11-03', 0],
      ['2026-11-04', 2],
    ])
  })

  it('join days once they would become too thin to click, and lose no session', () => {
    const bins = binDays([day('2026-01-01', 3), day('2026-06-01', 4), day('2026-12-31', 5)])
    expect(bins.length).toBeLessThanOrEqual(60)
    expect(bins.reduce((sum, { total }) => sum + total, 0)).toBe(12)
    expect(bins[0]).toMatchObject({ from: '2026-01-01', to: '2026-01-07', gold: 3 })
  })

  it('are none without days', () => {
    expect(binDays([])).toEqual([])
  })
})
