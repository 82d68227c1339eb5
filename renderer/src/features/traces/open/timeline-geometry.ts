import type { TimelineRow } from '#contracts/entities/step.ts'

/** Whose time a part of the strip is. Waiting is the time between the end of the work and the next prompt of the user. */
export type SpanKind = 'model' | 'tool' | 'subagent' | 'waiting'

export interface Span {
  kind: SpanKind
  /** Strip time in milliseconds: clock time with long pauses shortened, or one unit per item if the session has no times. */
  start: number
  end: number
  /** Row that the span leads to. */
  index: number
}

export interface Strip {
  spans: Span[]
  /** Strip time at which row n begins. */
  at: Float64Array
  length: number
  /** Rows that failed. */
  errors: number[]
  /** Rows with a prompt of the user. */
  prompts: number[]
  /** `order`: the session has no times, so each item is one unit wide. */
  scale: 'time' | 'order'
  /** By how much pauses were shortened, in milliseconds of the clock. */
  shortenedMs: number
  /** The same for each kind, so that sums are in clock time. */
  shortenedByKind: Record<SpanKind, number>
}

/** Longer pauses are drawn this long; active time uses the same limit. */
export const LONGEST_PAUSE_MS = 5 * 60_000
/** Calls without a measured duration still get a place to click on. */
const MIN_MS = 50

/** Lays the rows of a session out along one line. Rows are in transcript order; if the clock goes back, the strip does not. */
export function layoutStrip(rows: readonly TimelineRow[]): Strip {
  const times = rows.map((row) => (row.at === null ? Number.NaN : Date.parse(row.at)))
  return times.some((time) => !Number.isNaN(time)) ? byTime(rows, times) : byOrder(rows)
}

const kindOf = (row: TimelineRow): SpanKind => {
  if (row.agent !== 'main') return 'subagent'
  return row.kind === 'call' || row.kind === 'step' ? 'tool' : 'model'
}

function byOrder(rows: readonly TimelineRow[]): Strip {
  const strip = emptyStrip(rows.length, 'order')
  rows.forEach((row, index) => {
    strip.at[index] = index
    addMarks(strip, row, index)
    strip.spans.push({ kind: row.kind === 'prompt' && row.agent === 'main' ? 'waiting' : kindOf(row), start: index, end: index + 1, index })
  })
  strip.length = Math.max(rows.length, 1)
  return strip
}

function byTime(rows: readonly TimelineRow[], times: readonly number[]): Strip {
  const strip = emptyStrip(rows.length, 'time')
  let cursor = 0 // strip time
  let clock = Number.NaN // clock time at the cursor
  rows.forEach((row, index) => {
    addMarks(strip, row, index)
    const time = times[index] ?? Number.NaN
    const gap = Number.isNaN(time) || Number.isNaN(clock) ? 0 : Math.max(0, time - clock)
    const drawnMs = Math.min(gap, LONGEST_PAUSE_MS)
    if (drawnMs > 0) {
      const kind = row.kind === 'prompt' && row.agent === 'main' ? 'waiting' : row.agent === 'main' ? 'model' : 'subagent'
      addSpan(strip.spans, { kind, start: cursor, end: cursor + drawnMs, index })
      strip.shortenedMs += gap - drawnMs
      strip.shortenedByKind[kind] += gap - drawnMs
    }
    cursor += drawnMs
    strip.at[index] = cursor
    if (!Number.isNaN(time)) clock = Number.isNaN(clock) ? time : Math.max(clock, time)
    if (row.kind !== 'call' && row.kind !== 'step') return
    // the steps of a sub-agent follow its call and draw its time, so the call itself is drawn short
    const startsAgent = rows[index + 1] !== undefined && rows[index + 1]?.agent !== row.agent && rows[index + 1]?.agent !== 'main'
    const callMs = startsAgent ? MIN_MS : Math.min(Math.max(row.durationMs ?? 0, MIN_MS), LONGEST_PAUSE_MS)
    addSpan(strip.spans, { kind: kindOf(row), start: cursor, end: cursor + callMs, index })
    cursor += callMs
    if (!Number.isNaN(clock)) clock += Math.max(callMs, startsAgent ? 0 : (row.durationMs ?? 0))
  })
  strip.length = Math.max(cursor, 1)
  return strip
}

function addSpan(spans: Span[], span: Span): void {
  const last = spans.at(-1)
  if (last && last.kind === span.kind && last.kind !== 'tool' && last.end === span.start) last.end = span.end
  else spans.push(span)
}

function addMarks(strip: Strip, row: TimelineRow, index: number): void {
  if (row.success === false || row.kind === 'error') strip.errors.push(index)
  if (row.kind === 'prompt' && row.agent === 'main') strip.prompts.push(index)
}

const emptyStrip = (count: number, scale: Strip['scale']): Strip => ({
  spans: [],
  at: new Float64Array(count),
  length: 1,
  errors: [],
  prompts: [],
  scale,
  shortenedMs: 0,
  shortenedByKind: { model: 0, tool: 0, subagent: 0, waiting: 0 },
})

/** The visible part of the strip, in strip time. */
export interface Window {
  from: number
  to: number
}

export const wholeOf = (strip: Strip): Window => ({ from: 0, to: strip.length })

/** Position of a strip time in a window, as a share of the width (0–1). */
export const shareAt = (window: Window, time: number): number => (time - window.from) / Math.max(window.to - window.from, 1e-9)

/** The row at a share of the width: the last one that began before it. −1 for a session without rows. */
export function rowAt(strip: Strip, window: Window, share: number): number {
  const time = window.from + share * (window.to - window.from)
  let low = 0
  let high = strip.at.length - 1
  if (high < 0) return -1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((strip.at[middle] ?? 0) <= time) low = middle
    else high = middle - 1
  }
  return low
}

/** The window that a drag between two shares selects; null for less than 4 px of a strip `width` wide. */
export function zoomTo(window: Window, share: number, otherShare: number, width: number): Window | null {
  const [left, right] = share < otherShare ? [share, otherShare] : [otherShare, share]
  if ((right - left) * width < 4) return null
  const span = window.to - window.from
  return { from: window.from + Math.max(0, left) * span, to: window.from + Math.min(1, right) * span }
}

/** Buttons and keys zoom around a row by half or twice. */
export function zoomAround(strip: Strip, window: Window, index: number, factor: number): Window {
  const span = Math.min((window.to - window.from) * factor, strip.length)
  const centre = strip.at[Math.max(index, 0)] ?? window.from
  const from = Math.min(Math.max(0, centre - span / 2), strip.length - span)
  return { from, to: from + span }
}

/** Index of the first and the last row that begins inside a window. */
export function rowsIn(strip: Strip, window: Window): { first: number; last: number } | null {
  let first = -1
  let last = -1
  for (let index = 0; index < strip.at.length; index += 1) {
    const time = strip.at[index] ?? 0
    if (time < window.from || time > window.to) continue
    if (first < 0) first = index
    last = index
  }
  return first < 0 ? null : { first, last }
}

/** A run of equal pixels. */
export interface Run {
  kind: SpanKind
  from: number
  to: number
}

/**
 * What a strip `width` pixels wide shows of a window: each pixel takes the kind that covers most of it, so 20,000 steps
 * cost no more to draw than the width has pixels.
 */
export function pixelRuns(strip: Strip, window: Window, width: number): Run[] {
  const covered = new Map<SpanKind, Float32Array>()
  const scale = width / Math.max(window.to - window.from, 1e-9)
  for (const span of strip.spans) {
    const from = Math.max(0, (span.start - window.from) * scale)
    const to = Math.min(width, (span.end - window.from) * scale)
    if (to <= from) continue
    let pixels = covered.get(span.kind)
    if (!pixels) covered.set(span.kind, (pixels = new Float32Array(width)))
    for (let pixel = Math.floor(from); pixel < Math.min(width, Math.ceil(to)); pixel += 1) {
      pixels[pixel] = (pixels[pixel] ?? 0) + Math.min(to, pixel + 1) - Math.max(from, pixel)
    }
  }
  const runs: Run[] = []
  for (let pixel = 0; pixel < width; pixel += 1) {
    let kind: SpanKind | null = null
    let most = 0
    for (const [candidate, pixels] of covered) {
      const share = pixels[pixel] ?? 0
      if (share > most) [kind, most] = [candidate, share]
    }
    if (kind === null) continue
    const last = runs.at(-1)
    if (last && last.kind === kind && last.to === pixel) last.to = pixel + 1
    else runs.push({ kind, from: pixel, to: pixel + 1 })
  }
  return runs
}

/** Milliseconds of the clock (or items) of each kind: the sentence under the strip. */
export function sumByKind(strip: Strip): Record<SpanKind, number> {
  const sums = { ...strip.shortenedByKind }
  for (const span of strip.spans) sums[span.kind] += span.end - span.start
  return sums
}
