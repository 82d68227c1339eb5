import { Series, type Place } from './series.ts'

/** Spare capacity for more points: growing fifty averages at once takes 200 ms. */
const GROWTH_FACTOR = 1.25

/**
 * An exponential moving average without the bias of its start (as Adam corrects its moments): y_t = w·y_(t−1) + (1−w)·x_t,
 * shown as y_t / (1 − w^t). Gaps stay gaps and are not counted. It grows with its source; a new weight starts over.
 */
export class Smoothed {
  series = new Series()
  #source: Series | null = null
  #weight = 0
  #cuts = 0
  #processed = 0
  #sum = 0
  #share = 1

  /** The average of all points of the source so far; 0 ≤ weight < 1. */
  of(source: Series, weight: number): Series {
    if (source !== this.#source || weight !== this.#weight || source.cuts !== this.#cuts) {
      this.series = new Series(Math.max(64, Math.ceil(source.size * GROWTH_FACTOR)))
      this.#source = source
      this.#weight = weight
      this.#cuts = source.cuts
      this.#processed = 0
      this.#sum = 0
      this.#share = 1
    }
    const place: Place = { step: 0 }
    for (; this.#processed < source.size; this.#processed += 1) {
      const at = this.#processed
      const value = source.last[at]!
      for (const axis of source.axes) place[axis] = source.x(axis)[at]!
      if (Number.isNaN(value)) {
        this.series.push(place, Number.NaN)
        continue
      }
      this.#sum = weight * this.#sum + (1 - weight) * value
      this.#share *= weight
      this.series.push(place, this.#sum / (1 - this.#share))
    }
    return this.series
  }
}
