/** HTTP calls that may take an hour. `fetch` fails after 300 s without a response, or without its next bytes. */
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'

export interface HttpRequest {
  method: string
  headers?: Record<string, string>
  body?: string | undefined
  /** Aborts the call, even while its response is read. */
  signal?: AbortSignal | undefined
  /** Connections may be used again for a moment. The server may close an idle one just as the next call is sent. */
  keepAlive?: boolean
}

const CONNECT_MS = 10_000
/** Idle for longer than this, servers begin to close connections. */
const KEPT = { keepAlive: true, timeout: 4000 }
const agents = { http: new http.Agent(KEPT), https: new https.Agent(KEPT) }

/** Waits for the response without a limit. Follows no redirect. Rejects with the system's error, or that of `signal`. */
export function httpRequest(url: string, { method, headers = {}, body, signal, keepAlive = false }: HttpRequest): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const bytes = Buffer.from(body ?? '')
  const isSecure = url.startsWith('https:')
  const request = (isSecure ? https : http).request(url, {
    method,
    agent: keepAlive && agents[isSecure ? 'https' : 'http'],
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': bytes.length }) },
    ...(signal && { signal }),
  })
  const timer = setTimeout(
    () => request.destroy(Object.assign(new Error('No connection in time'), { code: 'CONNECT_TIMEOUT' })),
    CONNECT_MS,
  )
  const connected = () => clearTimeout(timer)
  request.once('socket', (socket) => (socket.connecting ? socket.once('connect', connected) : connected()))
  request.once('response', (response) => resolve(responseOf(response)))
  request.once('close', connected).once('error', reject)
  request.end(bytes)
  return promise
}

/** Statuses whose response has no body, not even an empty one. */
const BODILESS = new Set([204, 205, 304])

function responseOf(response: http.IncomingMessage): Response {
  const status = response.statusCode ?? 500
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
  if (BODILESS.has(status)) response.resume()
  return new Response(BODILESS.has(status) ? null : Readable.toWeb(response), { status, headers })
}
