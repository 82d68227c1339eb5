import { shareAt, type Strip, type Window } from './timeline-geometry.ts'

const MINUTE_MS = 60_000
/** Minutes that one cell may stand for. */
const SIZES = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440]
const MIN_CELL_PX = 4
/** Rows narrower than this on average can't be told apart. */
const MIN_ROW_PX = 3

/** Some minutes of the strip. */
export interface HeatCell {
  /** Pixels. */
  from: number
  to: number
  /** Rows that begin in it. */
  count: number
  errors: number
  /** The first of those rows. */
  index: number
}

export interface Heat {
  /** Minutes of each cell. */
  minutes: number
  /** Those with rows, in order. */
  cells: HeatCell[]
  /** Rows of the fullest cell. */
  most: number
}

/** Whether the rows of a window are too narrow to be told apart. */
export function isDense(strip: Strip, window: Window, width: number): boolean {
  const visibleCount = strip.at.reduce((sum, at) => sum + (at >= window.from && at <= window.to ? 1 : 0), 0)
  return visibleCount * MIN_ROW_PX > width
}

/** How busy each minute of a window is. Null if its rows are wide enough to be drawn one by one, or have no times. */
export function heatOf(strip: Strip, window: Window, width: number): Heat | null {
  if (strip.scale === 'order' || width <= 0 || !isDense(strip, window, width)) return null
  const pxPerMinute = (MINUTE_MS * width) / Math.max(window.to - window.from, 1)
  const minutes = SIZES.find((size) => size * pxPerMinute >= MIN_CELL_PX) ?? SIZES.at(-1)!
  const errors = new Set(strip.errors)
  const cells = new Map<number, HeatCell>()
  strip.at.forEach((at, index) => {
    if (at < window.from || at > window.to) return
    const place = Math.floor(at / (minutes * MINUTE_MS))
    const x = (cell: number) => Math.min(width, Math.max(0, shareAt(window, cell * minutes * MINUTE_MS) * width))
    const cell = cells.get(place) ?? { from: x(place), to: x(place + 1), count: 0, errors: 0, index }
    cells.set(place, { ...cell, count: cell.count + 1, errors: cell.errors + (errors.has(index) ? 1 : 0) })
  })
  const inOrder = [...cells.values()].toSorted((a, b) => a.from - b.from)
  return { minutes, cells: inOrder, most: Math.max(...inOrder.map(({ count }) => count)) }
}
