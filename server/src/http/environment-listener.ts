import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { AppError } from '#contracts/errors.ts'
import { bracketed, hostNames } from './guard.ts'
import { isOtherUser } from './peer-user.ts'
import { createHttpServer, LIMITS } from './server.ts'

interface Peer {
  receive(text: string): void
  gone(): void
}

/** The routes and sockets of environments. */
interface EnvironmentRoutes {
  request(request: { method: string; path: string; query: URLSearchParams; cookie: string | undefined; body: string }): Promise<{
    status: number
    body: unknown
    headers?: Record<string, string>
  }>
  open(path: string, query: URLSearchParams, to: { send: (text: string) => void; close: () => void }): Peer | null
}

const MAX_BYTES = 100 * 1024 * 1024
const MAX_CONNECTIONS = 4096
const HEARTBEAT_MS = 30_000
/** How long a client may take to answer a close frame. */
const GRACE_MS = 1000

/** Opens the port for trainers and agents. Throws `port_taken`. */
export async function listenEnvironment(
  environment: EnvironmentRoutes,
  { host, port, token }: { host: string; port: number; token: string | null },
): Promise<{ url: string; port: number; close: () => Promise<void> }> {
  const server = createHttpServer({ ...LIMITS, maxConnections: MAX_CONNECTIONS, maxWaiting: MAX_CONNECTIONS })
  await listen(server, host, port)
  const { port: boundPort } = server.address() as AddressInfo
  const hosts = new Set(hostNames(host, boundPort).map((name) => name.toLowerCase()))
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BYTES, perMessageDeflate: false })

  server.on('request', (request, response) => {
    const refusal = refusalOf(request, { hosts, token })
    if (refusal) return respond(response, refusal.status, { detail: refusal.message })
    void handle(request, response, environment)
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const refusal = refusalOf(request, { hosts, token })
    if (refusal) return refuse(socket, refusal)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname !== '/ws' && pathname !== '/mcp') return refuse(socket, { status: 404, message: 'The sockets are at /ws and /mcp.' })
    sockets.handleUpgrade(request, socket, head, (client) => serve(client, (to) => environment.open(pathname, searchParams, to)))
  })

  const alive = new WeakSet<WebSocket>()
  const serve = (client: WebSocket, open: (to: { send: (text: string) => void; close: () => void }) => Peer | null) => {
    alive.add(client)
    client.on('pong', () => alive.add(client))
    client.on('error', () => client.terminate())
    const peer = open({ send: (text) => client.send(text), close: () => client.close(1000) })
    client.on('message', (data: RawData) => {
      alive.add(client)
      peer?.receive(textOf(data))
    })
    client.on('close', () => peer?.gone())
  }
  const heartbeat = setInterval(() => {
    for (const client of sockets.clients) {
      if (!alive.delete(client)) client.terminate()
      else client.ping()
    }
  }, HEARTBEAT_MS)
  heartbeat.unref()

  return {
    url: `http://${bracketed(host)}:${boundPort}`,
    port: boundPort,
    async close() {
      clearInterval(heartbeat)
      const closed = new Promise((resolve) => server.close(resolve))
      for (const client of sockets.clients) {
        client.close(1001)
        setTimeout(() => client.terminate(), GRACE_MS).unref()
      }
      server.closeIdleConnections()
      const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
      await closed
      clearTimeout(cut)
    },
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'EADDRINUSE'
        ? new AppError('port_taken', { message: `Port ${port} is in use by another program.`, hint: 'Choose another one.' })
        : new AppError('environment_refused', {
            message: `Can't listen on ${host}, port ${port}: ${error.message}.`,
            hint: 'Choose an address of this machine and a port of at least 1024.',
          }),
    ),
  )
  server.listen(port, host, resolve)
  await promise
}

function refusalOf(
  { headers, socket, url }: IncomingMessage,
  { hosts, token }: { hosts: ReadonlySet<string>; token: string | null },
): { status: number; message: string } | null {
  if (!hosts.has((headers.host ?? '').toLowerCase())) return { status: 403, message: 'The Host header does not name this server.' }
  const site = headers['sec-fetch-site'] ?? 'none'
  if (headers.origin !== undefined || site !== 'none') return { status: 403, message: 'Requests from web pages are refused.' }
  if (token === null && isOtherUser(socket))
    return { status: 403, message: 'This server accepts only programs of the user who started it. Others need a token (--token-file).' }
  if (token !== null && url !== '/health' && headers.authorization !== `Bearer ${token}`)
    return { status: 401, message: 'This server needs its token: Authorization: Bearer TOKEN.' }
  return null
}

async function handle(request: IncomingMessage, response: ServerResponse, environment: EnvironmentRoutes): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost')
  try {
    const body = await bodyOf(request)
    if (body === null) return respond(response, 413, { detail: 'The body is longer than 100 MB.' }, { connection: 'close' })
    const {
      status,
      body: document,
      headers,
    } = await environment.request({ method: request.method ?? 'GET', path, query, cookie: request.headers.cookie, body })
    respond(response, status, document, headers)
  } catch {
    response.destroy() // the request was aborted
  }
}

/** Null if the body is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function respond(response: ServerResponse, status: number, body: unknown, headers?: Record<string, string>): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(JSON.stringify(body))
}

function refuse(socket: Duplex, { status, message }: { status: number; message: string }): void {
  const body = JSON.stringify({ detail: message })
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function textOf(data: RawData): string {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data
  return bytes.toString('utf8')
}
