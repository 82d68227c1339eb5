import { expect, it } from 'vitest'
import { aRow } from '../fixtures.ts'
import { layoutStrip, wholeOf } from './timeline-geometry.ts'
import { heatOf } from './timeline-heat.ts'

const START = Date.parse('2026-11-21T04:00:00Z')
/** One call every six seconds for two hours; each tenth fails. */
const rows = Array.from({ length: 1200 }, (_, index) =>
  aRow({ kind: 'call', at: new Date(START + index * 6000).toISOString(), durationMs: 1000, success: index % 10 !== 0 }),
)
const strip = layoutStrip(rows)

it('a long session is drawn as heat by minute: every row is counted once, in cells that can be seen', () => {
  const heat = heatOf(strip, wholeOf(strip), 600)!
  expect(heat.minutes).toBe(1)
  expect(heat.cells).toHaveLength(120)
  expect(heat.cells.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length)
  expect(heat.cells.reduce((sum, { errors }) => sum + errors, 0)).toBe(120)
  expect(heat.most).toBe(10)
  const narrow = heatOf(strip, wholeOf(strip), 200)!
  expect(narrow.minutes).toBe(5)
  expect(Math.min(...narrow.cells.map(({ from, to }) => to - from))).toBeGreaterThanOrEqual(4)
})

it('a short session, a part that is zoomed into, and a session without times keep their single steps', () => {
  expect(heatOf(layoutStrip(rows.slice(0, 20)), { from: 0, to: 120_000 }, 600)).toBeNull()
  expect(heatOf(strip, { from: 0, to: 5 * 60_000 }, 600)).toBeNull()
  const untimed = layoutStrip(rows.map((row) => ({ ...row, at: null })))
  expect(heatOf(untimed, wholeOf(untimed), 600)).toBeNull()
})
