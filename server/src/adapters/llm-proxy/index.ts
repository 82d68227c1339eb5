/**
 * A way to a language model for programs that must not have the user's key: a server of this machine that takes a
 * capability instead, forwards to the one endpoint that it was given for, counts, and stops at its caps.
 */
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addressOf } from '../llm/client.ts'
import { isLoopback } from '../tools/loopback.ts'
import { forward } from './forward.ts'
import { tokensIn } from './headers.ts'
import { createMeter, type Meter } from './meter.ts'
import { ProxyRefusal, sendRefusal } from './refusal.ts'
import { type Granted, PROXY_PATHS, type ProxyDialect, type ProxyGrant, type ProxyPath } from './types.ts'

export type * from './types.ts'
export { PROXY_PATHS } from './types.ts'

export interface LlmProxyOptions {
  /** For the first line and headers of a request, and for all of it. */
  headersMs?: number
  requestMs?: number
}

export interface LlmProxy {
  /** Throws a sentence if the endpoint has no usable address, or a cap cannot be kept. */
  grant(grant: ProxyGrant): Promise<Granted>
  /** Revokes every grant. */
  close(): Promise<void>
}

/** Of one grant at a time; Claude Code counts its tools with 28 requests at once. */
const MAX_OPEN = 64
const MAX_CONNECTIONS = 1024

interface Live extends Pick<ProxyGrant, 'upstream' | 'allowedPaths' | 'onExchange'> {
  meter: Meter
  stop: AbortController
  open: Set<Promise<void>>
}

/** Nothing listens before the first grant. */
export function createLlmProxy({ headersMs = 15_000, requestMs = 120_000 }: LlmProxyOptions = {}): LlmProxy {
  /** By the hash of their capability. */
  const live = new Map<string, Live>()
  let listening: Promise<http.Server> | null = null

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { path, dialect } = askedFor(request)
    const found = tokensIn(request.headers).map((token) => live.get(hashOf(token))).find((one) => one !== undefined) // prettier-ignore
    try {
      requireLocal(request)
      if (!found)
        throw new ProxyRefusal(
          401,
          'This capability is not known, or its run has ended. It belongs to one run of Bash Gym and is not a key.',
        )
      if (path === null || !found.allowedPaths.includes(path) || methodOf(path) !== request.method)
        throw new ProxyRefusal(404, 'This run may not ask for that address.')
      if (found.open.size >= MAX_OPEN) throw new ProxyRefusal(429, `A run may ask ${MAX_OPEN} things at once.`, { retryAfterSec: 1 })
    } catch (error) {
      request.resume()
      return sendRefusal(response, found?.upstream.dialect ?? dialect, error as ProxyRefusal)
    }
    const work = forward(request, response, { grant: found, meter: found.meter, path, signal: found.stop.signal })
    found.open.add(work)
    const ended = () => void found.open.delete(work)
    work.then(ended, ended) // it fails only if `onExchange` does, whose caller knows
  }
  const listen = async (): Promise<http.Server> => {
    const server = http.createServer(
      { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: Math.min(headersMs, 5000) },
      serve,
    )
    server.maxConnections = MAX_CONNECTIONS
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  const revoke = async (token: string): Promise<void> => {
    const found = live.get(hashOf(token))
    if (!found) return
    live.delete(hashOf(token))
    found.stop.abort(new Error('The run has ended.'))
    await Promise.allSettled(found.open)
  }

  return {
    async grant({ upstream, allowedPaths, caps, model, price, onExchange, signal }) {
      signal.throwIfAborted()
      addressOf(upstream.baseUrl, '', (await upstream.key()) !== null)
      const meter = createMeter({ caps, model, price })
      listening ??= listen().catch((error: unknown) => {
        listening = null
        throw error
      })
      const { port } = (await listening).address() as AddressInfo
      const token = `run-${randomBytes(32).toString('base64url')}`
      const stop = new AbortController()
      live.set(hashOf(token), { upstream, allowedPaths, onExchange, meter, stop, open: new Set() })
      let revoked: Promise<void> | null = null
      const end = () => (revoked ??= revoke(token).finally(() => signal.removeEventListener('abort', onAbort)))
      const onAbort = () => void end()
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      return { baseUrl: `http://127.0.0.1:${port}`, token, usage: () => meter.usage(), revoke: end }
    },
    async close() {
      const server = await listening?.catch(() => null)
      listening = null
      for (const { stop } of live.values()) stop.abort(new Error('Bash Gym is stopping.'))
      await Promise.allSettled([...live.values()].flatMap(({ open }) => [...open]))
      live.clear()
      server?.closeAllConnections()
      server?.close()
    },
  }
}

const hashOf = (token: string) => hash('sha256', token)
const methodOf = (path: ProxyPath) => (path === '/v1/models' ? 'GET' : 'POST')

/** The path of an allowed address, and the API whose error format its clients expect. */
function askedFor({ url = '' }: IncomingMessage): { path: ProxyPath | null; dialect: ProxyDialect } {
  const [path = '', query = ''] = url.split('?', 2)
  const known = PROXY_PATHS.find((one) => one === path) ?? null
  const isPlain = query === '' || query === 'beta=true' || known === '/v1/models'
  return { path: isPlain ? known : null, dialect: /\/(?:chat\/completions|responses)$/.test(path) ? 'openai' : 'anthropic' }
}

/** Refuses pages in a browser, and requests that reached this server under another host name. */
function requireLocal({ headers: { host = '', origin } }: IncomingMessage): void {
  if (origin !== undefined || !isLoopback(host.replace(/:\d+$/, ''))) throw new ProxyRefusal(403, 'Only programs of this machine may ask.')
}
