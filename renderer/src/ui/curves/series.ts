import { doubleCapacity, type Level, mapPlaces, type Places, Pyramid } from './pyramid.ts'

/** The position of a point: its step, which orders the points, and its position on each other axis. */
export interface Place {
  step: number
  [axis: string]: number
}

const NOWHERE = new Float64Array(0)

/**
 * One curve: points in the order of their steps, in typed arrays that grow. A point may be a bucket of several: then `lo`
 * and `hi` are its extremes and `last` is its last value. NaN is a gap. The axes are those of the first point.
 */
export class Series {
  #size = 0
  #x: Places = {}
  #axes: readonly string[] = []
  #last: Float64Array
  #lo: Float64Array
  #hi: Float64Array
  readonly #pyramid = new Pyramid()
  /** Indices of the gaps, ascending. */
  readonly gaps: number[] = []
  /** How often points were removed. Anything derived from the points must start over when it changes. */
  cuts = 0

  constructor(capacity = 256) {
    this.#last = new Float64Array(capacity)
    this.#lo = this.#last
    this.#hi = this.#last
  }

  get size(): number {
    return this.#size
  }

  get axes(): readonly string[] {
    return this.#axes
  }

  /** The arrays themselves, longer than `size`, for reading in a loop. */
  x(axis: string): Float64Array {
    return this.#x[axis] ?? NOWHERE
  }
  get last(): Float64Array {
    return this.#last
  }
  get lo(): Float64Array {
    return this.#lo
  }
  get hi(): Float64Array {
    return this.#hi
  }

  /** The step of the newest point, −∞ before the first. */
  get end(): number {
    return this.#size === 0 ? -Infinity : this.x('step')[this.#size - 1]!
  }

  /** Adds a point at the end. Returns false, and adds nothing, if its step is not after the last. */
  push(place: Place, last: number, lo = last, hi = last): boolean {
    if (place.step <= this.end) return false
    if (this.#axes.length === 0) this.#begin(place)
    if (this.#size === this.#last.length) this.#grow()
    // separate extremes are stored from the first bucket on; until then they equal the values
    if (this.#lo === this.#last && (lo !== last || hi !== last) && !Number.isNaN(last)) {
      this.#lo = this.#last.slice()
      this.#hi = this.#last.slice()
    }
    const at = this.#size++
    for (const axis of this.#axes) {
      const places = this.#x[axis]!
      const before = at === 0 ? 0 : places[at - 1]!
      const here = place[axis]
      // a missing place repeats the previous one, so that an axis never runs backwards
      places[at] = here !== undefined && Number.isFinite(here) ? Math.max(here, before) : before
    }
    this.#last[at] = last
    if (this.#lo !== this.#last) {
      this.#lo[at] = lo
      this.#hi[at] = hi
    }
    if (Number.isNaN(last)) this.gaps.push(at)
    this.#pyramid.push(at, this.#x, lo, hi)
    return true
  }

  /** Removes every point from a step on. */
  cut(step: number): void {
    const keep = this.indexOf('step', step)
    if (keep === this.#size) return
    this.#size = keep
    this.cuts += 1
    while ((this.gaps.at(-1) ?? -1) >= keep) this.gaps.pop()
    this.#pyramid.cut(keep, this.#lo, this.#hi)
  }

  /** The first point whose place on the axis is at or after `value`; `size` if there is none. */
  indexOf(axis: string, value: number, from = 0): number {
    const places = this.x(axis)
    let low = from
    let high = this.#size
    // consecutive searches usually end near each other
    for (let width = from > 0 ? 8 : high; low + width < high; width *= 2) {
      if (places[low + width]! >= value) {
        high = low + width
        break
      }
      low += width
    }
    while (low < high) {
      const middle = (low + high) >>> 1
      if (places[middle]! < value) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Extremes of the points from `from` to before `to`, written to `out`; Infinity and −Infinity if there are none. */
  extremes(from: number, to: number, out: { lo: number; hi: number }): void {
    let lo = Infinity
    let hi = -Infinity
    let at = from
    while (at < to) {
      const block = this.#pyramid.blockAt(at, to)
      const [los, his] = block ? [block.lo, block.hi] : [this.#lo, this.#hi]
      const index = block ? at / block.size : at
      if (los[index]! < lo) lo = los[index]!
      if (his[index]! > hi) hi = his[index]!
      at += block?.size ?? 1
    }
    out.lo = lo
    out.hi = hi
  }

  /** Extremes of blocks of at most this many points. If there are none, the points themselves as blocks of size 1. */
  level(points: number): Level {
    return this.#pyramid.level(points) ?? { size: 1, lo: this.#lo, hi: this.#hi, x: this.#x }
  }

  /** The point nearest to a place on an axis, or null in an empty series. */
  nearest(axis: string, value: number): number | null {
    if (this.#size === 0) return null
    const next = this.indexOf(axis, value)
    if (next === 0) return 0
    if (next === this.#size) return next - 1
    const places = this.x(axis)
    return value - places[next - 1]! <= places[next]! - value ? next - 1 : next
  }

  #begin(place: Place): void {
    this.#axes = Object.keys(place)
    this.#x = Object.fromEntries(this.#axes.map((axis) => [axis, new Float64Array(this.#last.length)]))
  }

  #grow(): void {
    const hasExtremes = this.#lo !== this.#last
    this.#x = mapPlaces(this.#x, doubleCapacity)
    this.#last = doubleCapacity(this.#last)
    this.#lo = hasExtremes ? doubleCapacity(this.#lo) : this.#last
    this.#hi = hasExtremes ? doubleCapacity(this.#hi) : this.#last
  }
}
