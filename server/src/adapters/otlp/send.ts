import { retryAfterMs } from '../tools/retry-after.ts'
import type { Cleared } from '../llm/cleared.ts'

export interface Sending {
  url: string
  headers: Record<string, string>
  /** An ExportTraceServiceRequest as protobuf. */
  body: Cleared<Uint8Array>
  signal: AbortSignal
}

/** `again`: it may work later; `afterMs` is the collector's own word. */
export type Sent = { ok: true } | { ok: false; again: boolean; afterMs: number | null; problem: string }

/** Longest wait for an answer. */
const TIMEOUT_MS = 15_000
/** OTLP names these; all others of the collector's own making may pass, too. */
const AGAIN = new Set([408, 429, 502, 503, 504])

/** Sends spans to a collector. Follows no redirect, which would send them elsewhere. */
export async function sendSpans({ url, headers, body, signal }: Sending): Promise<Sent> {
  const { host } = new URL(url)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'user-agent': 'bashgym', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    if (response.ok) return { ok: true }
    const { status } = response
    const again = AGAIN.has(status) || status >= 500
    const hint = status === 401 || status === 403 ? ' It wants a key: see the guide on the profiler.' : ''
    return { ok: false, again, afterMs: retryAfterMs(response.headers), problem: `${host} answered ${status}.${hint}` }
  } catch (error) {
    signal.throwIfAborted()
    const code = ((error as Error).cause as { code?: unknown } | undefined)?.code
    const why =
      (error as Error).name === 'TimeoutError'
        ? `no answer in ${TIMEOUT_MS / 1000} s`
        : typeof code === 'string'
          ? code
          : 'the connection was lost'
    return { ok: false, again: true, afterMs: null, problem: `Couldn't reach ${host} (${why}).` }
  }
}
