/** Blocks of `size` points each, in order: their extremes (without NaN), and the places of their first points. */
export interface Level {
  size: number
  lo: Float64Array
  hi: Float64Array
  x: Places
}
/** By axis. */
export type Places = Readonly<Record<string, Float64Array>>

const FIRST = 8
const FACTOR = 4
const INITIAL_CAPACITY = 16

/**
 * A growing list of points at several resolutions, in blocks of 8, 32, 128 …: what a redraw reads depends on the pixels
 * and not on the number of points, and is contiguous in memory. Needs about a sixth of the memory of the points.
 */
export class Pyramid {
  readonly #levels: Level[] = []
  #axes: readonly string[] = []

  /** Adds the point at `at`, after all others; its places are in `x`. */
  push(at: number, x: Places, lo: number, hi: number): void {
    if (this.#axes.length === 0) this.#axes = Object.keys(x)
    for (let depth = 0, size = FIRST; depth === 0 || at >= size / FACTOR; depth += 1, size *= FACTOR) {
      const level = (this.#levels[depth] ??= this.#above(this.#levels[depth - 1], size))
      const block = Math.floor(at / size)
      if (block === level.lo.length) grow(level)
      if (at % size === 0) {
        level.lo[block] = Infinity
        level.hi[block] = -Infinity
        for (const axis of this.#axes) level.x[axis]![block] = x[axis]![at]!
      }
      if (lo < level.lo[block]!) level.lo[block] = lo
      if (hi > level.hi[block]!) level.hi[block] = hi
    }
  }

  /** Removes all points from `keep` on; `lo` and `hi` are the remaining values. */
  cut(keep: number, lo: Float64Array, hi: Float64Array): void {
    for (const level of this.#levels) {
      const block = Math.floor(keep / level.size)
      if (keep % level.size === 0 || block >= level.lo.length) continue
      level.lo[block] = Infinity
      level.hi[block] = -Infinity
      for (let at = block * level.size; at < keep; at += 1) {
        if (lo[at]! < level.lo[block]) level.lo[block] = lo[at]!
        if (hi[at]! > level.hi[block]) level.hi[block] = hi[at]!
      }
    }
  }

  /** The coarsest level whose blocks have at most this many points; undefined if that is the points themselves. */
  level(points: number): Level | undefined {
    return this.#levels.findLast(({ size }) => size <= points)
  }

  /** The largest block that starts at `at` and ends at `to` or earlier. */
  blockAt(at: number, to: number): Level | undefined {
    let found: Level | undefined
    for (const level of this.#levels) {
      if (at % level.size !== 0 || at + level.size > to) break
      found = level
    }
    return found
  }

  /** A new level, made when the level below gets its second block; it starts with the content of the first. */
  #above(below: Level | undefined, size: number): Level {
    const level = emptyLevel(size, this.#axes)
    if (below) {
      level.lo[0] = below.lo[0]!
      level.hi[0] = below.hi[0]!
      for (const axis of this.#axes) level.x[axis]![0] = below.x[axis]![0]!
    }
    return level
  }
}

function emptyLevel(size: number, axes: readonly string[]): Level {
  const make = () => new Float64Array(INITIAL_CAPACITY)
  return { size, lo: make(), hi: make(), x: Object.fromEntries(axes.map((axis) => [axis, make()])) }
}

function grow(level: Level): void {
  level.lo = doubleCapacity(level.lo)
  level.hi = doubleCapacity(level.hi)
  level.x = mapPlaces(level.x, doubleCapacity)
}

export const mapPlaces = (x: Places, change: (places: Float64Array) => Float64Array): Places =>
  Object.fromEntries(Object.entries(x).map(([axis, places]) => [axis, change(places)]))

export function doubleCapacity(array: Float64Array): Float64Array<ArrayBuffer> {
  const next = new Float64Array(array.length * 2)
  next.set(array)
  return next
}
