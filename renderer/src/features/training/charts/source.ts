import { useCallback, useSyncExternalStore } from 'react'
import type { MetricSeries } from '#contracts/entities/run.ts'
import type { Payload } from '#contracts/messages.ts'
import { coalesce } from '#renderer/api/coalesce.ts'
import { Newest, RunCurves } from './run-curves.ts'
import type { Series } from '#renderer/ui/curves/series.ts'

/** Text beside the curves is updated at most this often. */
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

  /** What is drawn: the part in finer steps if there is one. */
  get shown(): RunCurves | null {
    return this.#part ?? this.#whole
  }
  get whole(): RunCurves | null {
    return this.#whole
  }

  /** True if the server answered in buckets: a closer look shows more. */
  get coarse(): boolean {
    const { series, counts } = this.#whole ?? { series: new Map<string, Series>(), counts: new Map<string, number>() }
    return [...counts].some(([name, count]) => count > (series.get(name)?.size ?? 0))
  }

  /** An answer for the whole run; points from messages that came meanwhile are appended. */
  takeWhole(answer: readonly MetricSeries[]): void {
    this.#whole = new RunCurves(answer)
    this.#newest.forget(this.#whole.seq)
    if (!this.#paused) this.#newest.continue(this.#whole)
    this.#notify()
  }

  /** An answer over a part, or null to look at the whole again. */
  takePart(answer: readonly MetricSeries[] | null, range: { from?: number; to?: number } = {}): void {
    if (!answer && !this.#part) return
    this.#part = answer && new RunCurves(answer, range)
    if (this.#part && !this.#paused) this.#newest.continue(this.#part)
    this.#notify()
  }

  /** A message of this run. True: so many have come that the whole had better be read again. */
  takeMessage(message: Payload<'training:progress'>): boolean {
    const full = this.#newest.add(message)
    // before the first answer the message is only stored, and appended when the answer comes
    if (this.#paused || !this.#whole) return full
    const grew = this.#whole.push(message)
    this.#part?.push(message)
    if (grew) this.#notify()
    return full
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

/** Renders again, now and then, while one of the sources grows. The list must stay the same one between renders. */
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
