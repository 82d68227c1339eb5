import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import type { Caller } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { CLOSE } from '#contracts/messages.ts'
import { CLOSE_MS } from '#server/listeners/limits.ts'
import { bytesOf, createSocketServer } from '#server/listeners/sockets.ts'
import type { Guard } from './guard.ts'

export interface EndpointLimits {
  /** How long a browser that connected without a token has to send its key. */
  authenticateWithinMs: number
  /** How many clients may be connected without a key; another one drops the oldest. */
  maxUnauthenticated: number
  heartbeatMs: number
  /** Unsent bytes at which a client is dropped. */
  maxBuffered: number
  maxClients: number
}

export interface EndpointContext {
  guard: Guard
  log: Logger
}

/** The connection to one client. */
export interface Connection {
  send(frame: string | Uint8Array): void
  buffered(): number
  refuse(close: { code: number; reason: string }): void
}

/** Receives the frames of one client: text frames as strings, binary frames as bytes. */
export interface Client {
  receive(frame: string | Uint8Array): void
  close(): void
}

/** The protocol of an address. */
export interface Protocol {
  /** Reads the session key from the first message of a browser. */
  keyOf(text: string): string | undefined
  serve(connection: Connection): Client
}

export interface Endpoint {
  readonly clients: number
  /** Throws if the limit of clients is reached. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller | null): void
  close(): Promise<void>
}

const MAX_PAYLOAD = 64 * 1024

/**
 * Serves the clients of one socket address. Browsers cannot set headers on a socket, so they connect without one and
 * must send their session key in the first message.
 */
export function createEndpoint(protocol: Protocol, { guard, log, limits }: EndpointContext & { limits: EndpointLimits }): Endpoint {
  const sockets = createSocketServer(MAX_PAYLOAD)
  const served = new Map<WebSocket, { caller: Caller; client: Client }>()
  const unauthenticated = new Set<WebSocket>()
  const responsive = new WeakSet<WebSocket>()

  const drop = (socket: WebSocket, { code, reason }: { code: number; reason: string }) => {
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), CLOSE_MS).unref()
  }

  const accept = (socket: WebSocket, caller: Caller | null) => {
    responsive.add(socket)
    socket.on('pong', () => responsive.add(socket))
    socket.on('error', () => socket.terminate()) // a frame that is too large or damaged
    if (caller) serve(socket, caller)
    else awaitKey(socket)
  }

  const awaitKey = (socket: WebSocket) => {
    unauthenticated.add(socket)
    const [oldest] = unauthenticated
    if (oldest && unauthenticated.size > limits.maxUnauthenticated) oldest.terminate()
    const timeout = setTimeout(() => drop(socket, CLOSE.unauthorized), limits.authenticateWithinMs)
    const settle = () => {
      clearTimeout(timeout)
      unauthenticated.delete(socket)
    }
    socket.once('close', settle)
    socket.once('message', (data: RawData, isBinary) => {
      settle()
      const frame = frameOf(data, isBinary)
      const caller = callerOfMessage(frame)
      if (!caller) return drop(socket, CLOSE.unauthorized)
      if (served.size >= limits.maxClients) return drop(socket, CLOSE.tooMany)
      serve(socket, caller).receive(frame)
    })
  }

  const callerOfMessage = (frame: string | Uint8Array): Caller | null => {
    const key = typeof frame === 'string' ? protocol.keyOf(frame) : undefined
    try {
      return key === undefined ? null : guard.callers.callerOf(key)
    } catch {
      return null // the page gets the reason over HTTP
    }
  }

  const serve = (socket: WebSocket, caller: Caller) => {
    const client = protocol.serve({
      send: (frame) => {
        if (socket.readyState !== socket.OPEN) return
        socket.send(frame)
        if (socket.bufferedAmount > limits.maxBuffered) {
          log.warn({ buffered: socket.bufferedAmount }, 'A socket client was dropped: too slow')
          client.close()
          drop(socket, CLOSE.tooSlow)
        }
      },
      buffered: () => socket.bufferedAmount,
      refuse: (close) => drop(socket, close),
    })
    served.set(socket, { caller, client })
    socket.on('message', (data: RawData, isBinary) => client.receive(frameOf(data, isBinary)))
    socket.on('close', () => {
      client.close()
      served.delete(socket)
    })
    return client
  }

  /** Nothing more is sent after a sign-out, even while the socket is still closing. */
  const signOut = (isSignedOut: (caller: Caller) => boolean) => {
    for (const [socket, { caller, client }] of served) {
      if (!isSignedOut(caller)) continue
      client.close()
      served.delete(socket)
      drop(socket, CLOSE.unauthorized)
    }
  }
  guard.callers.onSignOut(signOut)

  const heartbeat = setInterval(() => {
    signOut((caller) => !guard.callers.isSignedIn(caller))
    for (const socket of sockets.clients) {
      if (!responsive.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }, limits.heartbeatMs)
  heartbeat.unref()

  return {
    get clients() {
      return sockets.clients.size
    },
    upgrade(request, socket, head, caller) {
      if (sockets.clients.size - unauthenticated.size >= limits.maxClients)
        throw new AppError('database_busy', { message: `${limits.maxClients} clients are connected, which is the limit.` })
      sockets.handleUpgrade(request, socket, head, (client) => accept(client, caller))
    },
    async close() {
      clearInterval(heartbeat)
      const all = [...sockets.clients]
      const closed = all.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of all) drop(socket, CLOSE.goingAway)
      await Promise.all(closed)
      sockets.close()
    },
  }
}

function frameOf(data: RawData, isBinary: boolean): string | Uint8Array {
  const bytes = bytesOf(data)
  return isBinary ? bytes : bytes.toString('utf8')
}
