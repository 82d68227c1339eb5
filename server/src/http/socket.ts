import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '#contracts/errors.ts'
import { STREAMS_PATH } from '#contracts/streams.ts'
import type { Events } from '#server/events/events.ts'
import { refuseUpgrade } from '#server/listeners/sockets.ts'
import type { StreamImplementation } from '#server/streams/source.ts'
import type { EndpointContext } from './endpoint.ts'
import { createEventSocket } from './event-socket.ts'
import { toAppError } from './failure.ts'
import { createStreamSocket } from './stream-socket.ts'
import type { SocketLimits } from './subscriber.ts'

export const SOCKET_LIMITS: SocketLimits = {
  authenticateWithinMs: 5000,
  maxUnauthenticated: 16,
  subscribeWithinMs: 10_000,
  heartbeatMs: 30_000,
  maxBuffered: 8 * 1024 * 1024,
  maxClients: 64,
  coalesceMs: 100,
}

export interface SocketHub {
  /** Clients of the event socket. */
  readonly clients: number
  close(): Promise<void>
}

/** Checks each upgrade request, and refuses it with an HTTP status or passes it to the endpoint of its address. */
export function attachSockets(
  server: Server,
  options: EndpointContext & { events: Events; streams: readonly StreamImplementation[]; limits?: Partial<SocketLimits> },
): SocketHub {
  const { guard, log } = options
  const context = { guard, log, limits: { ...SOCKET_LIMITS, ...options.limits } }
  const messages = createEventSocket(options.events, context)
  const endpoints = new Map([
    ['/ws', messages],
    [STREAMS_PATH, createStreamSocket(options.streams, context)],
  ])

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    try {
      guard.checkSource(request.headers)
      const endpoint = endpoints.get(request.url?.split('?', 1)[0] ?? '')
      if (!endpoint) throw new AppError('not_found', { message: `The sockets are at ${[...endpoints.keys()].join(' and ')}.` })
      endpoint.upgrade(request, socket, head, guard.callerOf(request.headers))
    } catch (error) {
      const failure = toAppError(error)
      refuseUpgrade(socket, failure.status, failure.toWire())
    }
  }
  server.on('upgrade', onUpgrade)

  return {
    get clients() {
      return messages.clients
    },
    async close() {
      server.off('upgrade', onUpgrade)
      await Promise.all([...endpoints.values()].map((endpoint) => endpoint.close()))
    },
  }
}
