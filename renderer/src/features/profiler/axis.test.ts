import { expect, test } from 'vitest'
import type { Span } from '#contracts/entities/profile.ts'
import { axisOf, moved, showing, ticksOf, zoomed } from './axis.ts'
import { contextOf, layOut, slowTools, tokensByTurn } from './rows.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const MINUTE = 60_000
const span = (id: string, from: number | null, durationMs: number | null, more: Partial<Span> = {}): Span => ({
  id,
  parentId: id === 'main' ? null : 'main',
  kind: 'tool',
  name: 'Bash',
  label: null,
  turn: 1,
  entryId: id,
  startedAt: from === null ? null : new Date(START + from).toISOString(),
  durationMs,
  costUsd: null,
  ...more,
})
const night = [
  span('main', 0, 600 * MINUTE, { kind: 'agent' }),
  span('a', 0, 10 * MINUTE),
  span('wait', 10 * MINUTE, 580 * MINUTE, { kind: 'wait' }),
  span('b', 590 * MINUTE, 10 * MINUTE),
  span('c', null, null),
]

test('a night between two prompts is drawn as five minutes, and the axis still tells the time of the clock', () => {
  const axis = axisOf(night)
  expect([axis.length, axis.shortenedMs]).toEqual([25 * MINUTE, 575 * MINUTE])
  expect(axis.clockAt(axis.placeOf(START + 595 * MINUTE))).toBe(595 * MINUTE)
  const places = layOut({ spans: night }).rows.map(({ id, depth, place }) => [id, depth, place && [place.from / MINUTE, place.to / MINUTE]])
  expect(places).toEqual([
    ['main', 0, [0, 25]],
    ['a', 1, [0, 10]],
    ['wait', 1, [10, 15]],
    ['b', 1, [15, 25]],
    ['c', 1, null],
  ])
})

test('the view is never moved or zoomed out of the session, and follows a span only if it does not show it', () => {
  expect(zoomed({ from: 0, to: 100 }, 2, 100)).toEqual({ from: 25, to: 75 })
  expect(zoomed({ from: 60, to: 100 }, 0.1, 100)).toEqual({ from: 0, to: 100 })
  expect(moved({ from: 60, to: 100 }, 0.5, 100)).toEqual({ from: 60, to: 100 })
  expect(showing({ from: 0, to: 20 }, { from: 10, to: 90 }, 100)).toEqual({ from: 0, to: 20 })
  expect(showing({ from: 0, to: 20 }, { from: 50, to: 52 }, 100)).toEqual({ from: 41, to: 61 })
  expect(ticksOf({ from: 0, to: 5 * MINUTE })).toEqual([0, MINUTE, 2 * MINUTE, 3 * MINUTE, 4 * MINUTE])
  expect(axisOf([span('main', null, null)]).length).toBe(1)
})

test('figures count what was measured, and a long session has few bars', () => {
  const calls = [span('a', 0, 100), span('b', 0, 300, { error: 'failed, exit 1' }), span('c', 0, null), span('d', 0, 5, { name: 'Read' })]
  expect(slowTools(calls)).toMatchObject([
    { name: 'Bash', calls: 3, failed: 1, totalMs: 400, p50Ms: 100, p95Ms: 300, slowest: { id: 'b' } },
    { name: 'Read', calls: 1, failed: 0, totalMs: 5, p50Ms: 5, p95Ms: 5 },
  ])
  const requests = Array.from({ length: 500 }, (_, turn) =>
    span(`r${turn}`, turn, 1, { kind: 'llm', turn, tokens: { input: 1, output: 2, cacheRead: turn, cacheWrite: null } }),
  )
  const turns = tokensByTurn(requests)
  expect(turns.length).toBeLessThanOrEqual(80)
  expect([turns[0]!.label, turns.reduce((sum, { output }) => sum + output, 0)]).toEqual(['0–6', 1000])
  expect(Math.max(...contextOf(requests, 'main').map(({ total }) => total))).toBe(500)
})
