import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebSocket } from 'ws'
import { AppError } from '#contracts/errors.ts'
import { readBody, TooLong } from '#server/listeners/body.ts'
import { createHttpServer } from '#server/listeners/http-server.ts'
import { shallowText, TooDeep } from '#server/listeners/json.ts'
import { CLOSE_MS, MAX_BODY } from '#server/listeners/limits.ts'
import { createSocketServer, receive, refuseUpgrade, send } from '#server/listeners/sockets.ts'
import { bracketed } from './guard.ts'
import { createServiceGuard, type ServiceGuard } from './service-guard.ts'

interface Peer {
  /** Resolves when the message is answered. */
  receive(text: string): Promise<void>
  /** Answers a message that cannot be read. */
  refuse(reason: string): void
  gone(): void
}
type Open = (to: { send: (text: string) => void; close: () => void }) => Peer | null

/** The routes and sockets of environments. */
interface EnvironmentRoutes {
  request(request: { method: string; path: string; query: URLSearchParams; cookie: string | undefined; body: string }): Promise<{
    status: number
    body: unknown
    headers?: Record<string, string>
  }>
  open(path: string, query: URLSearchParams, to: { send: (text: string) => void; close: () => void }): Peer | null
}

/** A trainer opens the connections of a whole batch at once. */
const LIMITS = { maxConnections: 4096, maxWaiting: 1024, maxPerCaller: 2048 }
const HEARTBEAT_MS = 30_000

/** Opens the port for trainers and agents. Throws `port_taken`. */
export async function listenEnvironment(
  environment: EnvironmentRoutes,
  { host, port, token }: { host: string; port: number; token: string },
): Promise<{ url: string; port: number; close: () => Promise<void> }> {
  const server = createHttpServer(LIMITS)
  await listen(server, host, port)
  const bound = server.address() as AddressInfo
  const guard = createServiceGuard({ host, bound, token })
  const sockets = createSocketServer(MAX_BODY)

  server.on('request', (request, response) => {
    const refusal = guard.refusalOf(request)
    if (refusal) return respond(response, refusal.status, { detail: refusal.message })
    void handle(request, response, { environment, guard })
  })
  let isClosing = false
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (isClosing) return refuseUpgrade(socket, 503, { detail: 'The environment is closing.' })
    const refusal = guard.refusalOf(request)
    if (refusal) return refuseUpgrade(socket, refusal.status, { detail: refusal.message })
    const url = addressOf(request)
    if (url?.pathname !== '/ws' && url?.pathname !== '/mcp')
      return refuseUpgrade(socket, 404, { detail: 'The sockets are at /ws and /mcp.' })
    const { pathname, searchParams } = url
    sockets.handleUpgrade(request, socket, head, (client) => serve(client, (to) => environment.open(pathname, searchParams, to)))
  })

  const alive = new WeakSet<WebSocket>()
  const serve = (client: WebSocket, open: Open) => {
    alive.add(client)
    client.on('pong', () => alive.add(client))
    client.on('error', () => client.terminate())
    const peer = open({ send: (text) => send(client, text), close: () => client.close(1000) })
    if (!peer) return client.close(1000)
    receive(client, async (bytes) => {
      alive.add(client)
      try {
        await peer.receive(shallowText(bytes))
      } catch (error) {
        if (error instanceof TooDeep) peer.refuse(error.message)
        else client.terminate()
      }
    })
    client.on('close', () => peer.gone())
  }
  const heartbeat = setInterval(() => {
    for (const client of sockets.clients) {
      if (!alive.delete(client) && !client.isPaused) client.terminate()
      else client.ping()
    }
  }, HEARTBEAT_MS)
  heartbeat.unref()

  return {
    url: `http://${bracketed(host)}:${bound.port}`,
    port: bound.port,
    async close() {
      isClosing = true
      clearInterval(heartbeat)
      const closed = new Promise((resolve) => server.close(resolve))
      for (const client of sockets.clients) {
        client.close(1001)
        setTimeout(() => client.terminate(), CLOSE_MS).unref()
      }
      server.closeIdleConnections()
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
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

/** Null if it cannot be read: `//` is no address. */
const addressOf = ({ url = '/' }: IncomingMessage): URL | null => URL.parse(`http://localhost${url}`)

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { environment, guard }: { environment: EnvironmentRoutes; guard: ServiceGuard },
): Promise<void> {
  try {
    const url = addressOf(request)
    if (!url) return respond(response, 400, { detail: 'The address cannot be read.' })
    const text = shallowText(await readBody(request))
    const { status, body, headers } = await environment.request({
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      cookie: request.headers.cookie,
      body: text,
    })
    respond(response, status, body, { ...headers, ...guard.proofFor(request) })
  } catch (error) {
    if (error instanceof TooLong) respond(response, 413, { detail: `The body is longer than ${MAX_BODY / 1024 / 1024} MB.` })
    else if (error instanceof TooDeep) respond(response, 422, { detail: `The body could not be read: ${error.message}.` })
    else response.destroy() // the request was aborted
  }
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
