/**
 * Lets programs use a language model without the user's key: a server on this machine that accepts a capability
 * instead, forwards to the endpoint of its grant, counts tokens, and stops at the grant's caps.
 */
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { identify } from '#server/listeners/connections.ts'
import { createHttpServer } from '#server/listeners/http-server.ts'
import { addressOf } from '../llm/client.ts'
import { isLoopback } from '../tools/loopback.ts'
import { forward } from './forward.ts'
import { tokensIn } from './headers.ts'
import { createMeter, type Meter } from './meter.ts'
import { ProxyRefusal, sendRefusal } from './refusal.ts'
import { type GrantAccess, PROXY_PATHS, type ProxyDialect, type ProxyGrant, type ProxyPath } from './types.ts'

export type * from './types.ts'
export { PROXY_PATHS } from './types.ts'
export { type Asked, CLIENT_ENDED, openPassThrough, type Passed, type ProxyAnswer, type ProxyResponse, type PassThrough } from './pass.ts'

export interface LlmProxyOptions {
  /** Timeouts for the headers of a request, and for the complete request. */
  headersMs?: number
  requestMs?: number
  /** How long an answer is read after its client has gone. */
  abandonedMs?: number
}

export interface LlmProxy {
  /** Throws a sentence if the endpoint's address is not usable, or a cap cannot be enforced. */
  grant(grant: ProxyGrant): Promise<GrantAccess>
  /** Revokes every grant. */
  close(): Promise<void>
}

/** Per grant. */
const MAX_OPEN_REQUESTS = 64
/** A machine has at most 256 connections to this machine, so one run cannot use up those of the others. */
const CONNECTIONS = { maxConnections: 4096, maxWaiting: 512, maxPerCaller: 256 }

interface ActiveGrant extends Pick<ProxyGrant, 'upstream' | 'allowedPaths' | 'onExchange' | 'model' | 'clear'> {
  meter: Meter
  stop: AbortController
  open: Set<Promise<void>>
}

/** The server starts with the first grant. */
export function createLlmProxy({ headersMs = 15_000, requestMs = 120_000, abandonedMs = 10 * 60_000 }: LlmProxyOptions = {}): LlmProxy {
  /** By the hash of their capability. */
  const live = new Map<string, ActiveGrant>()
  let listening: Promise<Server> | null = null

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { path, dialect } = askedFor(request)
    const capability = tokensIn(request.headers).map(hashOf).find((one) => live.has(one)) // prettier-ignore
    const grant = capability === undefined ? undefined : live.get(capability)
    if (capability !== undefined) identify(request.socket, capability)
    try {
      requireLocal(request)
      if (!grant)
        throw new ProxyRefusal(401, 'This capability is unknown, or its run has ended. It belongs to one run of Bash Gym and is not a key.')
      if (path === null || !grant.allowedPaths.includes(path) || request.method !== 'POST')
        throw new ProxyRefusal(404, 'This run may not use that address.')
      if (grant.open.size >= MAX_OPEN_REQUESTS)
        throw new ProxyRefusal(429, `A run may have at most ${MAX_OPEN_REQUESTS} requests at the same time.`, { retryAfterSec: 1 })
    } catch (error) {
      request.resume()
      return sendRefusal(response, grant?.upstream.dialect ?? dialect, error as ProxyRefusal)
    }
    const work = forward(request, response, { grant, meter: grant.meter, path, abandonedMs, signal: grant.stop.signal })
    grant.open.add(work)
    const onEnd = () => void grant.open.delete(work)
    work.then(onEnd, onEnd) // `forward` rejects only if `onExchange` throws
  }
  const listen = async (): Promise<Server> => {
    const server = createHttpServer({ ...CONNECTIONS, headersTimeoutMs: headersMs, requestTimeoutMs: requestMs })
    server.on('request', serve)
    server.on('connection', (socket) => socket.setMaxListeners(2 * MAX_OPEN_REQUESTS)) // each pipelined request waits for its end
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  const revoke = async (token: string): Promise<void> => {
    const grant = live.get(hashOf(token))
    if (!grant) return
    live.delete(hashOf(token))
    grant.stop.abort(new Error('The run has ended.'))
    await Promise.allSettled(grant.open)
  }

  return {
    async grant({ upstream, allowedPaths, ledger, model, price, clear, onExchange, signal }) {
      signal.throwIfAborted()
      addressOf(upstream.baseUrl, '', (await upstream.key()) !== null)
      ledger.requirePrice(price(model), model)
      const meter = createMeter({ ledger, price })
      listening ??= listen().catch((error: unknown) => {
        listening = null
        throw error
      })
      const { port } = (await listening).address() as AddressInfo
      const token = `run-${randomBytes(32).toString('base64url')}`
      const stop = new AbortController()
      live.set(hashOf(token), { upstream, allowedPaths, onExchange, model, clear, meter, stop, open: new Set() })
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

/** The path of an allowed address, and the API whose error format its clients expect. */
function askedFor({ url = '' }: IncomingMessage): { path: ProxyPath | null; dialect: ProxyDialect } {
  const [path = '', query = ''] = url.split('?', 2)
  const known = PROXY_PATHS.find((one) => one === path) ?? null
  const isPlain = query === '' || query === 'beta=true'
  return { path: isPlain ? known : null, dialect: /\/(?:chat\/completions|responses)$/.test(path) ? 'openai' : 'anthropic' }
}

/** Refuses pages in a browser, and requests that reached this server under another host name. */
function requireLocal({ headers: { host = '', origin } }: IncomingMessage): void {
  if (origin !== undefined || !isLoopback(host.replace(/:\d+$/, '')))
    throw new ProxyRefusal(403, 'Only programs on this machine may use this address.')
}
