import type { Span } from '#contracts/entities/profile.ts'

/** Longer waits are drawn this long, so that a night between two prompts does not hide the work. */
const LONGEST_WAIT_MS = 5 * 60_000

/** A session's time as it is drawn: clock time since its start, with long waits shortened. */
export interface Axis {
  /** Milliseconds as drawn. */
  length: number
  /** By how much waits were shortened. */
  shortenedMs: number
  /** Drawn time of a moment (ms since 1970). */
  placeOf: (at: number) => number
  /** The clock's time since the start at a drawn time. */
  clockAt: (place: number) => number
}

/** What is drawn from `from` to `to`. */
export interface View {
  from: number
  to: number
}

interface Cut {
  from: number
  to: number
}

const startOf = ({ startedAt }: Span): number => (startedAt === null ? Number.NaN : Date.parse(startedAt))

export function axisOf(spans: readonly Span[]): Axis {
  let first = Infinity
  let last = -Infinity
  const cuts: Cut[] = []
  for (const span of spans) {
    const from = startOf(span)
    if (Number.isNaN(from)) continue
    const to = from + (span.durationMs ?? 0)
    first = Math.min(first, from)
    last = Math.max(last, to)
    if (span.kind === 'wait' && to - from > LONGEST_WAIT_MS) cuts.push({ from: from + LONGEST_WAIT_MS, to })
  }
  if (first > last) return { length: 1, shortenedMs: 0, placeOf: () => 0, clockAt: () => 0 }
  const apart = separate(cuts)
  const shortenedMs = apart.reduce((sum, cut) => sum + cut.to - cut.from, 0)
  return {
    length: Math.max(1, last - first - shortenedMs),
    shortenedMs,
    placeOf(at) {
      let gone = 0
      for (const { from, to } of apart) {
        if (at <= from) break
        gone += Math.min(at, to) - from
      }
      return at - first - gone
    },
    clockAt(place) {
      let at = first + place
      for (const { from, to } of apart) {
        if (at <= from) break
        at += to - from
      }
      return at - first
    },
  }
}

/** In order, without overlaps. */
function separate(cuts: readonly Cut[]): Cut[] {
  const apart: Cut[] = []
  for (const cut of cuts.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1)
    if (last && cut.from <= last.to) last.to = Math.max(last.to, cut.to)
    else apart.push({ ...cut })
  }
  return apart
}

/** Where a span is drawn; null without a time. */
export function placeOfSpan(span: Span, axis: Axis): View | null {
  const from = startOf(span)
  if (Number.isNaN(from)) return null
  return { from: axis.placeOf(from), to: axis.placeOf(from + (span.durationMs ?? 0)) }
}

/** The shortest time that can fill the picture. */
const CLOSEST_MS = 20

/** The view zoomed around its middle, or around a place in it, and kept inside. */
export function zoomed(view: View, factor: number, length: number, around = (view.from + view.to) / 2): View {
  const width = Math.min(length, Math.max(CLOSEST_MS, (view.to - view.from) / factor))
  const share = (around - view.from) / (view.to - view.from)
  return kept(around - width * share, width, length)
}

/** Moved by a share of its width. */
export const moved = ({ from, to }: View, share: number, length: number): View => kept(from + (to - from) * share, to - from, length)

/** Unchanged if the place is in it, else moved so that it is in the middle. */
export function showing(view: View, place: View, length: number): View {
  if (place.to >= view.from && place.from <= view.to) return view
  const width = view.to - view.from
  return kept((place.from + Math.min(place.to, place.from + width)) / 2 - width / 2, width, length)
}

function kept(from: number, width: number, length: number): View {
  const start = Math.min(Math.max(0, from), Math.max(0, length - width))
  return { from: start, to: start + width }
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]
const STEPS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
]

/** About five round times of the view, as drawn. */
export function ticksOf({ from, to }: View): number[] {
  const rough = (to - from) / 6
  const step = STEPS.find((one) => one >= rough) ?? Math.ceil(rough / DAY) * DAY
  const ticks: number[] = []
  for (let tick = Math.ceil(from / step) * step; tick < to; tick += step) ticks.push(tick)
  return ticks
}
