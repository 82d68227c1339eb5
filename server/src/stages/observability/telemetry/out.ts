import { hash } from 'node:crypto'
import type { ProfileSource } from '#contracts/entities/profile.ts'
import type { TelemetryOut } from '#contracts/entities/telemetry.ts'
import type { Collector, TelemetrySettings } from '#contracts/settings/telemetry.ts'
import type { Core } from '#server/core.ts'
import { createLine, type Line, type LineDeps } from './line.ts'

export interface TelemetryOutDeps extends Omit<LineDeps, 'isAlone'> {
  settings: () => TelemetrySettings
  sourceOf: (id: string) => ProfileSource | null
}

/** A trace is sent when nothing was added to it for so long. */
const QUIET_MS = 5 * 60_000
/** Telemetry that came in is that of sessions, which are sent themselves; so are requests that passed through the proxy. */
const SENT = new Set<ProfileSource | null>(['rollout', 'exam', 'profiler'])

/** Whether a trace is part of the sample: always the same for the same trace, so that it is sent whole or not at all. */
export const isSampled = (id: string, rate: number): boolean => Number.parseInt(hash('sha256', id).slice(0, 8), 16) / 2 ** 32 < rate

/** Sends traces to the collectors of the settings. Nothing waits for it. */
export function createTelemetryOut(core: Pick<Core, 'events' | 'log' | 'now'>, { settings, sourceOf, ...deps }: TelemetryOutDeps) {
  const lines = new Map<string, Line>()
  const quiet = new Map<string, NodeJS.Timeout>()
  let unfollow = () => {}
  let isClosed = false

  const lineOf = (collector: Collector): Line => {
    const isAlone = settings().out.filter(({ kind }) => kind === collector.kind).length === 1
    const known = lines.get(collector.url)
    if (known?.collector.kind === collector.kind && known.isAlone === isAlone) return known
    void known?.close()
    const line = createLine(core, collector, { ...deps, isAlone })
    lines.set(collector.url, line)
    return line
  }
  function send(id: string, isAsked: boolean): number {
    const { out, sampleRate } = settings()
    for (const line of out.map(lineOf)) {
      if (isAsked || isSampled(id, sampleRate)) line.add(id)
      else line.skip()
    }
    return out.length
  }
  function changed(id: string): void {
    clearTimeout(quiet.get(id))
    quiet.delete(id)
    if (settings().out.length === 0 || isClosed) return
    const timer = setTimeout(() => {
      quiet.delete(id)
      send(id, false)
    }, QUIET_MS)
    quiet.set(id, timer.unref())
  }

  return {
    /** Sends a trace now, sampled or not. Returns to how many collectors. */
    send: (id: string): number => send(id, true),
    /** Follows sessions that go on from now on, and what is recorded. */
    start(): void {
      unfollow = core.events.subscribe(({ type, payload }) => {
        if (type === 'observability:recorded' && SENT.has(sourceOf(payload.id))) changed(payload.id)
        if ((type === 'trace:added' || type === 'trace:updated') && !payload.trace.sample) changed(payload.trace.id)
      })
    },
    settingsChanged(): void {
      const wanted = new Set(settings().out.map(({ url }) => url))
      for (const [url, line] of lines) {
        if (wanted.has(url)) continue
        void line.close()
        lines.delete(url)
      }
    },
    async close(): Promise<void> {
      isClosed = true
      unfollow()
      for (const timer of quiet.values()) clearTimeout(timer)
      await Promise.all([...lines.values()].map((line) => line.close()))
    },
    status: (): TelemetryOut[] => settings().out.map((collector) => lineOf(collector).status()),
  }
}
