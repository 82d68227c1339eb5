import { hash } from 'node:crypto'
import type { TelemetryOut } from '#contracts/entities/telemetry.ts'
import type { Collector, TelemetrySettings } from '#contracts/settings/telemetry.ts'
import { sendSpans } from '#server/adapters/otlp/index.ts'
import { isLoopback } from '#server/adapters/tools/loopback.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import type { ProfileSource } from '#contracts/entities/profile.ts'
import type { Cleared } from '../../privacy/index.ts'

/** Keys of collectors, from the environment. */
export interface CollectorKeys {
  phoenix: string | null
  langfuse: { publicKey: string; secretKey: string } | null
  /** As OTEL_EXPORTER_OTLP_HEADERS has them: name=value, separated by commas. */
  headers: string | null
}

export interface TelemetryOutDeps {
  settings: () => TelemetrySettings
  keys: CollectorKeys
  /** The spans of a trace with their texts cleared; null if it is gone. */
  bytesOf: (id: string, signal: AbortSignal) => Promise<Cleared<Uint8Array> | null>
  sourceOf: (id: string) => ProfileSource | null
  /** For tests. */
  quietMs?: number
  firstWaitMs?: number
}

/** A trace is sent when nothing was added to it for so long. */
const QUIET_MS = 5 * 60_000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 5 * 60_000
/** For one trace; then it is dropped. With the waits above that is about a quarter of an hour. */
const MAX_TRIES = 10
/** Waiting traces are only ids; above this the oldest is dropped. */
const MAX_QUEUED = 1000
/** Telemetry that came in is that of sessions, which are sent themselves; so are requests that passed through the proxy. */
const SENT = new Set<ProfileSource | null>(['rollout', 'exam', 'profiler'])

/** The address that takes spans. */
export function endpointOf({ kind, url }: Collector): string {
  const base = url.replace(/\/+$/, '')
  if (base.endsWith('/v1/traces')) return base
  return kind === 'langfuse' && !base.endsWith('/otel') ? `${base}/api/public/otel/v1/traces` : `${base}/v1/traces`
}

/** Whether a trace is part of the sample: always the same for the same trace, so that it is sent whole or not at all. */
export const isSampled = (id: string, rate: number): boolean => Number.parseInt(hash('sha256', id).slice(0, 8), 16) / 2 ** 32 < rate

/** Sends traces to collectors, one at a time and in the background. A collector that is down or slow delays nothing else. */
export function createTelemetryOut(core: Pick<Core, 'events' | 'log' | 'now'>, deps: TelemetryOutDeps) {
  const { settings, quietMs = QUIET_MS, firstWaitMs = FIRST_WAIT_MS } = deps
  const lines = new Map<string, Line>()
  const quiet = new Map<string, NodeJS.Timeout>()
  const stopping = new AbortController()
  let unfollow = () => {}

  interface Line {
    collector: Collector
    queue: string[]
    counts: { sent: number; dropped: number; notSampled: number }
    problem: string | null
    nextTryAt: number | null
    /** Aborted when the collector is taken out of the settings. */
    ends: AbortController
    working: Promise<void> | null
  }
  const lineOf = (collector: Collector): Line => {
    const known = lines.get(collector.url)
    if (known?.collector.kind === collector.kind) return known
    known?.ends.abort()
    const counts = { sent: 0, dropped: 0, notSampled: 0 }
    const line: Line = { collector, queue: [], counts, problem: null, nextTryAt: null, ends: new AbortController(), working: null }
    lines.set(collector.url, line)
    return line
  }
  /** Waits, unless the collector is taken out or the server stops. */
  const pause = async (line: Line, ms: number, signal: AbortSignal): Promise<void> => {
    line.nextTryAt = core.now() + ms
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
    line.nextTryAt = null
  }

  async function deliver(line: Line, id: string, signal: AbortSignal): Promise<void> {
    const { headers, problem } = accessTo(line.collector, deps.keys)
    const give = (why: string) => {
      line.counts.dropped += 1
      line.problem = why
    }
    if (problem !== null) return give(problem)
    for (let tries = 1; ; tries += 1) {
      const body = await deps.bytesOf(id, signal)
      if (body === null) return
      const sent = await sendSpans({ url: endpointOf(line.collector), headers, body, signal })
      if (sent.ok) {
        line.counts.sent += 1
        line.problem = null
        return
      }
      line.problem = sent.problem
      if (!sent.again || tries >= MAX_TRIES) return give(sent.problem)
      await pause(line, Math.min(sent.afterMs ?? firstWaitMs * 2 ** (tries - 1), LONGEST_WAIT_MS), signal)
      signal.throwIfAborted()
    }
  }
  async function work(line: Line): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, line.ends.signal])
    for (let id = line.queue.shift(); id !== undefined && !signal.aborted; id = line.queue.shift()) {
      try {
        await deliver(line, id, signal)
      } catch (error) {
        if (signal.aborted) return
        line.counts.dropped += 1
        core.log.error({ err: error }, 'The spans of a trace were not sent')
      }
    }
  }
  function send(id: string, isAsked = false): number {
    const { out, sampleRate } = settings()
    for (const collector of out) {
      const line = lineOf(collector)
      if (!isAsked && !isSampled(id, sampleRate)) line.counts.notSampled += 1
      else if (!line.queue.includes(id)) {
        line.queue.push(id)
        if (line.queue.length > MAX_QUEUED) {
          line.queue.shift()
          line.counts.dropped += 1
        }
        line.working ??= work(line).finally(() => (line.working = null))
      }
    }
    return out.length
  }
  function changed(id: string): void {
    clearTimeout(quiet.get(id))
    quiet.delete(id)
    if (settings().out.length === 0 || stopping.signal.aborted) return
    const timer = setTimeout(() => {
      quiet.delete(id)
      send(id)
    }, quietMs)
    quiet.set(id, timer.unref())
  }

  return {
    /** Sends a trace now, sampled or not. Returns to how many collectors. */
    send: (id: string) => send(id, true),
    /** Follows sessions that go on from now on, and what is recorded. */
    start(): void {
      unfollow = core.events.subscribe(({ type, payload }) => {
        if (type === 'observability:recorded' && SENT.has(deps.sourceOf(payload.id))) changed(payload.id)
        if ((type === 'trace:added' || type === 'trace:updated') && !payload.trace.sample) changed(payload.trace.id)
      })
    },
    settingsChanged(): void {
      const wanted = new Set(settings().out.map(({ url }) => url))
      for (const [url, line] of lines) {
        if (wanted.has(url)) continue
        line.ends.abort()
        lines.delete(url)
      }
    },
    async close(): Promise<void> {
      unfollow()
      for (const timer of quiet.values()) clearTimeout(timer)
      stopping.abort()
      await Promise.all([...lines.values()].map(({ working }) => working))
    },
    status: (): TelemetryOut[] =>
      settings().out.map((collector) => {
        const { queue, counts, problem, nextTryAt, working } = lineOf(collector)
        const access = accessTo(collector, deps.keys)
        return {
          ...collector,
          isHere: isLoopback(new URL(collector.url).hostname),
          queued: queue.length + (working === null ? 0 : 1),
          ...counts,
          problem: problem ?? access.problem,
          nextTryAt: isoOf(nextTryAt),
        }
      }),
  }
}

/** The headers with the key of a collector, or why nothing may be sent to it. */
function accessTo({ kind, url }: Collector, keys: CollectorKeys): { headers: Record<string, string>; problem: string | null } {
  const { protocol, hostname, host } = new URL(url)
  if (protocol === 'http:' && !isLoopback(hostname))
    return { headers: {}, problem: `${host} is not on this machine, and http is not encrypted, so nothing is sent there. Use https.` }
  if (kind === 'phoenix') return { headers: keys.phoenix === null ? {} : { authorization: `Bearer ${keys.phoenix}` }, problem: null }
  if (kind === 'otlp') return { headers: headersIn(keys.headers ?? ''), problem: null }
  if (keys.langfuse === null)
    return { headers: {}, problem: 'Langfuse wants keys: set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY, then start Bash Gym again.' }
  const { publicKey, secretKey } = keys.langfuse
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`
  return { headers: { authorization, 'x-langfuse-ingestion-version': '4' }, problem: null }
}

const headersIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [, name, value] = /^\s*([\w-]+)\s*=(.*)$/.exec(pair) ?? []
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()]]
    }),
  )
