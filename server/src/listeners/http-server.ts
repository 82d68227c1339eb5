import http from 'node:http'
import type { Socket } from 'node:net'
import { limitConnections } from './connections.ts'
import { IDLE_MS, type Limits, LIMITS, MAX_HEADER_BYTES } from './limits.ts'

/** Creates a server that does not listen yet, with the limits that every listener has. The only place that creates one. */
export function createHttpServer(limits: Partial<Limits> = {}): http.Server {
  const { headersTimeoutMs, requestTimeoutMs, maxConnections, ...connections } = { ...LIMITS, ...limits }
  const server = http.createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.max(50, Math.min(5000, headersTimeoutMs / 2)),
    keepAliveTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  server.maxConnections = maxConnections
  limitConnections(server, connections)
  return server
}

const waitingForHead = new WeakMap<Socket, NodeJS.Timeout>()
const watched = new WeakSet<http.Server>()

/**
 * Hands a connection that was accepted elsewhere to a server that does not listen. Node checks the time for headers only of
 * servers that listen, so it is checked here.
 */
export function handOver(server: http.Server, socket: Socket, headersTimeoutMs = LIMITS.headersTimeoutMs): void {
  const end = (of: Socket) => clearTimeout(waitingForHead.get(of))
  if (!watched.has(server)) {
    watched.add(server)
    for (const event of ['request', 'connect', 'upgrade'])
      if (server.listenerCount(event) > 0) server.prependListener(event, ({ socket: of }: http.IncomingMessage) => end(of)) // else Node answers
  }
  waitingForHead.set(socket, setTimeout(() => socket.destroy(), headersTimeoutMs)) // prettier-ignore
  socket.once('close', () => end(socket))
  server.emit('connection', socket)
}
