import { useCallback, useSyncExternalStore } from 'react'
import type { MetricSeries } from '#contracts/entities/run.ts'
import type { Payload } from '#contracts/messages.ts'
import { coalesce } from '#renderer/api/coalesce.ts'
import { Newest, RunCurves } from './run-curves.ts'
import type { Series } from '#renderer/ui/curves/series.ts'

/** Text next to the curves is updated at most this often. */
const WORDS_MS = 500

/**
 * The growing curves of one run: the whole run, and the visible part in finer steps. Charts subscribe
 * with `onGrow`; text beside the charts uses `useWords`, which is notified less often.
 */
export class CurveSource {
  readonly runId: string
  #whole: RunCurves | null = null
  #part: RunCurves | null = null
  #newest = new Newest()
  #paused = false
  #version = 0
  readonly #drawers = new Set<() => void>()
  readonly #readers = new Set<() => void>()
  readonly #notifyReaders = coalesce(() => {
    this.#version += 1
    this.#readers.forEach((reader) => reader())
  }, WORDS_MS)

  constructor(runId: string) {
    this.runId = runId
  }

  /** The curves to draw: the finer part if it is loaded, else the whole run. */
  get shown(): RunCurves | null {
    return this.#part ?? this.#whole
  }
  get whole(): RunCurves | null {
    return this.#whole
  }

  /** True if the server answered in buckets, so zooming in shows more. */
  get coarse(): boolean {
    const { series, counts } = this.#whole ?? { series: new Map<string, Series>(), counts: new Map<string, number>() }
    return [...counts].some(([name, count]) => count > (series.get(name)?.size ?? 0))
  }

  /** Stores an answer for the whole run and appends the points of newer messages. */
  takeWhole(answer: readonly MetricSeries[]): void {
    this.#whole = new RunCurves(answer)
    this.#newest.forget(this.#whole.seq)
    if (!this.#paused) this.#newest.continue(this.#whole)
    this.#notify()
  }

  /** Stores an answer for a part of the run; null returns to the whole run. */
  takePart(answer: readonly MetricSeries[] | null, range: { from?: number; to?: number } = {}): void {
    if (!answer && !this.#part) return
    this.#part = answer && new RunCurves(answer, range)
    if (this.#part && !this.#paused) this.#newest.continue(this.#part)
    this.#notify()
  }

  /** Appends a message of this run. Returns true once the whole run should be reloaded. */
  takeMessage(message: Payload<'training:progress'>): boolean {
    const isFull = this.#newest.add(message)
    // before the first answer the message is only stored; `takeWhole` appends it
    if (this.#paused || !this.#whole) return isFull
    const grew = this.#whole.push(message)
    this.#part?.push(message)
    if (grew) this.#notify()
    return isFull
  }

  /** While paused the chart does not change; new points are kept. */
  pause(paused: boolean): void {
    if (paused === this.#paused) return
    this.#paused = paused
    if (paused || !this.#whole) return
    this.#newest.continue(this.#whole)
    if (this.#part) this.#newest.continue(this.#part)
    this.#notify()
  }

  onGrow(drawer: () => void): () => void {
    this.#drawers.add(drawer)
    return () => this.#drawers.delete(drawer)
  }
  readonly subscribe = (reader: () => void): (() => void) => {
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }
  readonly version = (): number => this.#version

  #notify(): void {
    this.#drawers.forEach((drawer) => drawer())
    this.#notifyReaders()
  }
}

/** Renders again at intervals while a source grows. `sources` must be the same array between renders. */
export function useWords(sources: readonly CurveSource[]): number {
  const subscribe = useCallback(
    (reader: () => void) => {
      const stops = sources.map((source) => source.subscribe(reader))
      return () => stops.forEach((stop) => stop())
    },
    [sources],
  )
  return useSyncExternalStore(subscribe, () => sources.reduce((sum, source) => sum + source.version(), 0))
}
