import type { TelemetryOut } from '#contracts/entities/telemetry.ts'
import type { Collector } from '#contracts/settings/telemetry.ts'
import { sendSpans } from '#server/adapters/otlp/index.ts'
import { isLoopback } from '#server/adapters/tools/loopback.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import type { Cleared } from '../../privacy/index.ts'

/** Keys of collectors, from the environment. */
export interface CollectorKeys {
  phoenix: string | null
  langfuse: { publicKey: string; secretKey: string } | null
  /** As OTEL_EXPORTER_OTLP_HEADERS has them: name=value, separated by commas. */
  headers: string | null
}

export interface LineDeps {
  keys: CollectorKeys
  /** No other collector of its kind is set: a key of the environment is for one of them. */
  isAlone: boolean
  /** The spans of a trace with their texts cleared; null if it is gone. */
  bytesOf: (id: string, signal: AbortSignal) => Promise<Cleared<Uint8Array> | null>
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 5 * 60_000
/** For one trace; then it is dropped. With the waits above that is about a quarter of an hour. */
const MAX_TRIES = 10
/** Waiting traces are only ids; above this the oldest is dropped. */
const MAX_QUEUED = 1000

/** The address that takes spans. */
function endpointOf({ kind, url }: Collector): string {
  const base = url.replace(/\/+$/, '')
  if (base.endsWith('/v1/traces')) return base
  return kind === 'langfuse' && !base.endsWith('/otel') ? `${base}/api/public/otel/v1/traces` : `${base}/v1/traces`
}

/** Sends traces to one collector, one at a time and in the background. One that is down or slow delays nothing else. */
export function createLine(core: Pick<Core, 'log' | 'now'>, collector: Collector, { keys, isAlone, bytesOf }: LineDeps) {
  const queue: string[] = []
  const counts = { sent: 0, dropped: 0, notSampled: 0 }
  const ends = new AbortController()
  const { signal } = ends
  const access = accessTo(collector, keys, isAlone)
  let problem: string | null = access.problem
  let nextTryAt: number | null = null
  let working: Promise<void> | null = null

  /** Waits, unless the line is closed. */
  async function pause(ms: number): Promise<void> {
    nextTryAt = core.now() + ms
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    const stop = () => resolve()
    signal.addEventListener('abort', stop, { once: true })
    await promise
    signal.removeEventListener('abort', stop)
    clearTimeout(timer)
    nextTryAt = null
    signal.throwIfAborted()
  }
  async function deliver(id: string): Promise<void> {
    if (access.problem !== null) return void (counts.dropped += 1)
    for (let tries = 1; ; tries += 1) {
      const body = await bytesOf(id, signal)
      if (body === null) return
      const sent = await sendSpans({ url: endpointOf(collector), headers: access.headers, body, signal })
      problem = sent.ok ? null : sent.problem
      if (sent.ok) return void (counts.sent += 1)
      if (!sent.again || tries >= MAX_TRIES) return void (counts.dropped += 1)
      await pause(Math.min(sent.afterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS))
    }
  }
  async function work(): Promise<void> {
    for (let id = queue.shift(); id !== undefined && !signal.aborted; id = queue.shift()) {
      try {
        await deliver(id)
      } catch (error) {
        if (signal.aborted) return
        counts.dropped += 1
        core.log.error({ err: error }, 'The spans of a trace were not sent')
      }
    }
  }
  return {
    collector,
    isAlone,
    add(id: string): void {
      if (queue.includes(id)) return
      queue.push(id)
      if (queue.length > MAX_QUEUED) {
        queue.shift()
        counts.dropped += 1
      }
      working ??= work().finally(() => (working = null))
    },
    skip: (): void => void (counts.notSampled += 1),
    async close(): Promise<void> {
      ends.abort()
      await working
    },
    status: (): TelemetryOut => ({
      ...collector,
      isHere: isLoopback(new URL(collector.url).hostname),
      queued: queue.length + (working === null ? 0 : 1),
      ...counts,
      problem,
      nextTryAt: isoOf(nextTryAt),
    }),
  }
}
export type Line = ReturnType<typeof createLine>

/** The headers with the key of a collector, or why nothing may be sent to it. */
function accessTo(
  { kind, url }: Collector,
  keys: CollectorKeys,
  isAlone: boolean,
): { headers: Record<string, string>; problem: string | null } {
  const { protocol, hostname, host } = new URL(url)
  if (protocol === 'http:' && !isLoopback(hostname))
    return { headers: {}, problem: `${host} is not on this machine, and http is not encrypted, so nothing is sent there. Use https.` }
  const variable = { phoenix: 'PHOENIX_API_KEY', langfuse: 'LANGFUSE_SECRET_KEY', otlp: 'OTEL_EXPORTER_OTLP_HEADERS' }[kind]
  const headers = headersIn(keys.headers ?? '')
  const hasKey = kind === 'otlp' ? Object.keys(headers).length > 0 : keys[kind] !== null
  if (hasKey && !isAlone)
    return {
      headers: {},
      problem: `${variable} is the key of one collector, and there are several of its kind, so nothing is sent. Remove one.`,
    }
  if (kind === 'phoenix') return { headers: keys.phoenix === null ? {} : { authorization: `Bearer ${keys.phoenix}` }, problem: null }
  if (kind === 'otlp') return { headers, problem: null }
  if (keys.langfuse === null)
    return { headers: {}, problem: 'Langfuse wants keys: set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY, then start Bash Gym again.' }
  const { publicKey, secretKey } = keys.langfuse
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`
  return { headers: { authorization, 'x-langfuse-ingestion-version': '4' }, problem: null }
}

/** The variable is also how other programs get the token of our own address, which is nobody else's. */
const headersIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [, name, value] = /^\s*([\w-]+)\s*=(.*)$/.exec(pair) ?? []
      return name === undefined || value === undefined || name.toLowerCase() === 'x-bashgym-token'
        ? []
        : [[name.toLowerCase(), value.trim()]]
    }),
  )
