import { describe, expect, it } from 'vitest'
import { aRow } from '../fixtures.ts'
import {
  layoutStrip,
  LONGEST_PAUSE_MS,
  pixelRuns,
  rowAt,
  rowsIn,
  shareAt,
  sumByKind,
  wholeOf,
  zoomAround,
  zoomTo,
} from './timeline-geometry.ts'

const START = Date.parse('2026-11-21T04:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()

describe('the timeline strip', () => {
  const rows = [
    aRow({ kind: 'prompt', at: at(0) }),
    aRow({ kind: 'text', at: at(4) }),
    aRow({ kind: 'call', at: at(5), durationMs: 10_000, success: true }),
    aRow({ kind: 'call', at: at(20), durationMs: 1000, success: false }),
    aRow({ kind: 'prompt', at: at(61) }),
  ]
  const strip = layoutStrip(rows)

  it('gives each part of the time to model, tool or the user', () => {
    expect(strip.spans).toEqual([
      { kind: 'model', start: 0, end: 5000, index: 1 },
      { kind: 'tool', start: 5000, end: 15_000, index: 2 },
      { kind: 'model', start: 15_000, end: 20_000, index: 3 },
      { kind: 'tool', start: 20_000, end: 21_000, index: 3 },
      { kind: 'waiting', start: 21_000, end: 61_000, index: 4 },
    ])
    expect(strip).toMatchObject({ errors: [3], prompts: [0, 4], length: 61_000, scale: 'time', shortenedMs: 0 })
  })

  it('shortens a night between two prompts to five minutes and says by how much', () => {
    const night = layoutStrip([aRow({ kind: 'prompt', at: at(0) }), aRow({ kind: 'prompt', at: at(36_000) })])
    expect(night.length).toBe(LONGEST_PAUSE_MS)
    expect(night.shortenedMs).toBe(36_000_000 - LONGEST_PAUSE_MS)
    expect(sumByKind(night).waiting).toBe(36_000_000)
  })

  it('draws the steps of a sub-agent as its own time', () => {
    const spawned = layoutStrip([
      aRow({ kind: 'call', at: at(0), durationMs: 30_000 }),
      aRow({ kind: 'call', agent: 'a1', at: at(10), durationMs: 5000 }),
      aRow({ kind: 'text', agent: 'main', at: at(31) }),
    ])
    expect(spawned.spans.map(({ kind }) => kind)).toEqual(['tool', 'subagent', 'model'])
    expect(spawned.length).toBe(31_000)
  })

  it('uses the order of rows when no times are known', () => {
    const untimed = layoutStrip([aRow({ kind: 'prompt' }), aRow({ kind: 'call' })])
    expect(untimed).toMatchObject({ scale: 'order', length: 2 })
  })

  it('does not go back when the clock does', () => {
    const back = layoutStrip([aRow({ kind: 'text', at: at(100) }), aRow({ kind: 'text', at: at(10) }), aRow({ kind: 'text', at: at(110) })])
    expect([...back.at]).toEqual([0, 0, 10_000])
  })

  it('finds the row under the pointer', () => {
    const whole = wholeOf(strip)
    expect(rowAt(strip, whole, 0)).toBe(0)
    expect(rowAt(strip, whole, shareAt(whole, 6000))).toBe(2)
    expect(rowAt(strip, whole, 1)).toBe(4)
    expect(rowAt(layoutStrip([]), whole, 0.5)).toBe(-1)
  })

  it('zooms by a drag in either direction, and not by a click', () => {
    expect(zoomTo(wholeOf(strip), 0.5, 0.25, 1000)).toEqual({ from: 15_250, to: 30_500 })
    expect(zoomTo(wholeOf(strip), 0.5, 0.502, 1000)).toBeNull()
  })

  it('zooms around a row by buttons and stays inside the session', () => {
    expect(zoomAround(strip, wholeOf(strip), 0, 0.5)).toEqual({ from: 0, to: 30_500 })
    expect(zoomAround(strip, { from: 0, to: 30_500 }, 0, 4)).toEqual({ from: 0, to: 61_000 })
  })

  it('names the rows of a selected range', () => {
    expect(rowsIn(strip, { from: 4000, to: 20_000 })).toEqual({ first: 1, last: 3 })
    expect(rowsIn(strip, { from: 30_000, to: 40_000 })).toBeNull()
  })

  it('draws the kind that covers most of each pixel, and all of a wide strip', () => {
    const runs = pixelRuns(strip, wholeOf(strip), 61)
    expect(runs).toEqual([
      { kind: 'model', from: 0, to: 5 },
      { kind: 'tool', from: 5, to: 15 },
      { kind: 'model', from: 15, to: 20 },
      { kind: 'tool', from: 20, to: 21 },
      { kind: 'waiting', from: 21, to: 61 },
    ])
    expect(pixelRuns(strip, wholeOf(strip), 2).map(({ kind }) => kind)).toEqual(['tool', 'waiting'])
  })

  it('sums the time of each kind', () => {
    expect(sumByKind(strip)).toEqual({ model: 10_000, tool: 11_000, subagent: 0, waiting: 40_000 })
  })
})
