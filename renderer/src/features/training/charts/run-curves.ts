import type { MetricSeries } from '#contracts/entities/run.ts'
import type { Payload } from '#contracts/messages.ts'
import { Series } from '#renderer/ui/curves/series.ts'

type Progress = Payload<'training:progress'>

/**
 * The curves of one run over one range: the points of a server answer, followed by those of later messages. The event
 * number of a point shows whether it is already included, so there are no gaps and no duplicates.
 */
export class RunCurves {
  readonly series = new Map<string, Series>()
  /** Steps at which a metric was not finite. */
  readonly notFinite = new Map<string, number[]>()
  /** Number of points the server has in the range, by metric; more than in `series` if the answer was in buckets. */
  readonly counts = new Map<string, number>()
  readonly #from: number
  readonly #to: number
  /** Number of the newest included event. */
  #seq: number
  #end = -Infinity

  /** `from`, `to`: first and last step of the range; points outside it are dropped. */
  constructor(answer: readonly MetricSeries[], { from = -Infinity, to = Infinity }: { from?: number; to?: number } = {}) {
    this.#from = from
    this.#to = to
    this.#seq = answer.length === 0 ? -1 : Math.min(...answer.map(({ seq }) => seq))
    for (const part of answer) this.#read(part)
  }

  get seq(): number {
    return this.#seq
  }

  /** Appends the new points of a message; returns whether there were any. */
  push({ points }: Progress): boolean {
    let grew = false
    for (const { seq, step, epoch, tokens, seconds, metrics } of points) {
      if (seq <= this.#seq) continue
      this.#seq = seq
      if (step > this.#to || step < this.#from) continue
      // a killed run continues from its checkpoint and repeats these steps
      if (step < this.#end) this.#takeBack(step)
      this.#end = Math.max(this.#end, step)
      const place = { step, epoch: epoch ?? Number.NaN, tokens: tokens ?? Number.NaN, time: seconds }
      for (const [name, value] of Object.entries(metrics)) {
        const series = this.#seriesOf(name)
        if (step <= series.end) series.cut(step)
        series.push(place, value ?? Number.NaN)
        this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
        if (value === null) this.notFinite.set(name, [...(this.notFinite.get(name) ?? []), step])
      }
      grew = true
    }
    return grew
  }

  get names(): string[] {
    return [...this.series.keys()].filter((name) => (this.series.get(name)?.size ?? 0) > 0)
  }

  #seriesOf(name: string): Series {
    let series = this.series.get(name)
    if (!series) this.series.set(name, (series = new Series()))
    return series
  }

  #takeBack(step: number): void {
    this.#end = -Infinity
    for (const [name, series] of this.series) {
      const before = series.size
      series.cut(step)
      this.counts.set(name, Math.max(series.size, (this.counts.get(name) ?? 0) - (before - series.size)))
      this.#end = Math.max(this.#end, series.end)
    }
    for (const [name, steps] of this.notFinite) this.notFinite.set(name, steps.filter((one) => one < step)) // prettier-ignore
  }

  #read({ name, steps, epochs, tokens, seconds, min, max, last, count, notFinite }: MetricSeries): void {
    const series = new Series(Math.max(64, steps.length))
    steps.forEach((step, at) => {
      const value = last[at] ?? Number.NaN
      series.push(
        { step, epoch: epochs[at] ?? Number.NaN, tokens: tokens[at] ?? Number.NaN, time: seconds[at] ?? Number.NaN },
        value,
        min[at] ?? value,
        max[at] ?? value,
      )
    })
    this.series.set(name, series)
    this.#end = Math.max(this.#end, series.end)
    this.counts.set(name, count)
    if (notFinite.length > 0) this.notFinite.set(name, [...notFinite])
  }
}

/** Number of points kept from messages; above it the curves are reloaded from the server. */
const KEPT_POINTS = 4000

/** Messages of a run that are newer than the answer on screen; a reloaded answer needs them too. */
export class Newest {
  #messages: Progress[] = []
  #points = 0

  /** Returns true once so many points are stored that the curves should be reloaded from the server. */
  add(message: Progress): boolean {
    this.#messages.push(message)
    this.#points += message.points.length
    return this.#points > KEPT_POINTS
  }

  /** Appends the points that the curves do not include yet. */
  continue(curves: RunCurves): void {
    for (const message of this.#messages) curves.push(message)
  }

  /** Drops the messages that an answer up to event `seq` includes. */
  forget(seq: number): void {
    this.#messages = this.#messages.filter((message) => message.seq > seq)
    this.#points = this.#messages.reduce((sum, { points }) => sum + points.length, 0)
  }
}
