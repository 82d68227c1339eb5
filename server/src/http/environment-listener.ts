import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type Express } from 'express'
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

interface Route {
  method: 'get' | 'post'
  path: string
  answer: (request: {
    params: Readonly<Record<string, string>>
    query: URLSearchParams
    cookie: string | undefined
    body: string
  }) => Promise<{ status: number; body: unknown; headers?: Record<string, string> }>
}

/** The routes and sockets of environments. */
interface Environments {
  routes: readonly Route[]
  open(path: string, query: URLSearchParams, to: { send: (text: string) => void; close: () => void }): Peer | null
}

/** A trainer opens the connections of a whole batch at once. */
const LIMITS = { maxConnections: 4096, maxWaiting: 1024, maxPerCaller: 2048 }
const HEARTBEAT_MS = 30_000

/** Opens the port for trainers and agents. Throws `port_taken`. */
export async function listenEnvironment(
  environment: Environments,
  { host, port, token }: { host: string; port: number; token: string },
): Promise<{ url: string; port: number; close: () => Promise<void> }> {
  const server = createHttpServer(LIMITS)
  await listen(server, host, port)
  const bound = server.address() as AddressInfo
  const guard = createServiceGuard({ host, bound, token })
  const sockets = createSocketServer(MAX_BODY)

  server.on('request', environmentApp(environment.routes, guard))
  let isClosing = false
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (isClosing) return refuseUpgrade(socket, 503, { detail: 'The environment is closing.' })
    const refusal = guard.refusalOf(request)
    if (refusal) return refuseUpgrade(socket, refusal.status, { detail: refusal.message })
    const url = URL.parse(request.url ?? '/', 'http://localhost')
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

function environmentApp(routes: readonly Route[], guard: ServiceGuard): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((request, response, next) => {
    response.set({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    const refusal = guard.refusalOf(request)
    if (refusal) response.status(refusal.status).json({ detail: refusal.message })
    else {
      response.set(guard.proofFor(request))
      next()
    }
  })
  app.use(async (request, _, next) => {
    request.body = shallowText(await readBody(request))
    next()
  })
  for (const { method, path, answer } of routes) {
    app[method](path, async (request, response) => {
      const {
        status,
        body,
        headers = {},
      } = await answer({
        params: request.params as Record<string, string>, // no path has a wildcard
        query: new URL(request.url, 'http://localhost').searchParams,
        cookie: request.headers.cookie,
        body: request.body as string, // read above
      })
      response.status(status).set(headers).json(body)
    })
  }
  for (const { path, method } of routes)
    app.all(path, ({ path: asked, method: other }, response) => {
      const detail = `${asked} accepts ${method.toUpperCase()}, not ${other}.`
      response.status(405).json({ detail })
    })
  app.use((request, response) => void response.status(404).json({ detail: `There is nothing at ${request.path}.` }))
  app.use(onError)
  return app
}

const onError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const fail = (status: number, detail: string) => void response.status(status).json({ detail })
  if (error instanceof TooLong) return fail(413, `The body is longer than ${MAX_BODY / 1024 / 1024} MB.`)
  if (error instanceof TooDeep) return fail(422, `The body could not be read: ${error.message}.`)
  if (error instanceof URIError) return fail(400, 'The address cannot be read.')
  return void response.destroy() // the request was aborted
}
