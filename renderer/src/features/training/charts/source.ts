import { useCallback, useSyncExternalStore } from 'react'
import type { MetricSeries } from '#contracts/entities/run.ts'
import type { Payload } from '#contracts/messages.ts'
import { coalesce } from '#renderer/api/coalesce.ts'
import { Newest, RunCurves } from './run-curves.ts'
import type { Series } from '#renderer/ui/curves/series.ts'

/** Words and figures beside the curves are renewed at most this often. */
const WORDS_MS = 500

/**
 * The curves of one run, growing: the whole of it, and in finer steps the part that is looked at. Who draws listens
 * with `onGrow`; who writes words listens through `useWords`, which is told less often.
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
  readonly #tellReaders = coalesce(() => {
    this.#version += 1
    this.#readers.forEach((reader) => reader())
  }, WORDS_MS)

  constructor(runId: string) {
    this.runId = runId
  }

  /** What is drawn: the part in finer steps where there is one. */
  get shown(): RunCurves | null {
    return this.#part ?? this.#whole
  }
  get whole(): RunCurves | null {
    return this.#whole
  }

  /** True where the server answered in buckets: a closer look shows more. */
  get coarse(): boolean {
    const { series, counts } = this.#whole ?? { series: new Map<string, Series>(), counts: new Map<string, number>() }
    return [...counts].some(([name, count]) => count > (series.get(name)?.size ?? 0))
  }

  /** An answer over the whole run; what came by message meanwhile is put behind it. */
  takeWhole(answer: readonly MetricSeries[]): void {
    this.#whole = new RunCurves(answer)
    this.#newest.forget(this.#whole.seq)
    if (!this.#paused) this.#newest.continue(this.#whole)
    this.#tell()
  }

  /** An answer over a part, or null to look at the whole again. */
  takePart(answer: readonly MetricSeries[] | null, range: { from?: number; to?: number } = {}): void {
    if (!answer && !this.#part) return
    this.#part = answer && new RunCurves(answer, range)
    if (this.#part && !this.#paused) this.#newest.continue(this.#part)
    this.#tell()
  }

  /** A message of this run. True: so many have come that the whole had better be read again. */
  takeMessage(message: Payload<'training:progress'>): boolean {
    const full = this.#newest.add(message)
    // before the first answer it only waits; it is put behind the answer when that comes
    if (this.#paused || !this.#whole) return full
    const grew = this.#whole.push(message)
    this.#part?.push(message)
    if (grew) this.#tell()
    return full
  }

  /** While paused the picture stands still; nothing is lost. */
  pause(paused: boolean): void {
    if (paused === this.#paused) return
    this.#paused = paused
    if (paused || !this.#whole) return
    this.#newest.continue(this.#whole)
    if (this.#part) this.#newest.continue(this.#part)
    this.#tell()
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

  #tell(): void {
    this.#drawers.forEach((drawer) => drawer())
    this.#tellReaders()
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
