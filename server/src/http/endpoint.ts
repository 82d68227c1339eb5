import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Caller } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { CLOSE } from '#contracts/messages.ts'
import type { Guard } from './guard.ts'

export interface EndpointLimits {
  /** For the first message with the key of a browser that came without a token. */
  authenticateWithinMs: number
  /** How many clients may be connected without a key; one more drops the oldest of them. */
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

/** What one client sends: a text frame as text, a binary one as bytes. */
export interface Client {
  receive(frame: string | Uint8Array): void
  close(): void
}

/** The protocol of an address. */
export interface Protocol {
  /** The session key in the first message of a browser. */
  keyOf(text: string): string | undefined
  serve(connection: Connection): Client
}

export interface Endpoint {
  readonly clients: number
  /** Throws when no more clients are accepted. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller | null): void
  close(): Promise<void>
}

const MAX_PAYLOAD = 64 * 1024
/** A client that does not answer a close gets this long before its connection is cut, ms. */
const CLOSE_GRACE_MS = 1000

/**
 * The clients of one socket address. A browser cannot set a header on a socket: it is let in without one and has to show
 * its session key in its first message.
 */
export function createEndpoint(protocol: Protocol, { guard, log, limits }: EndpointContext & { limits: EndpointLimits }): Endpoint {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD, perMessageDeflate: false })
  const served = new Map<WebSocket, { caller: Caller; client: Client }>()
  const unauthenticated = new Set<WebSocket>()
  const answered = new WeakSet<WebSocket>()

  const drop = (socket: WebSocket, { code, reason }: { code: number; reason: string }) => {
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref()
  }

  const accept = (socket: WebSocket, caller: Caller | null) => {
    answered.add(socket)
    socket.on('pong', () => answered.add(socket))
    socket.on('error', () => socket.terminate()) // a frame over the limit, or a broken one
    if (caller) serve(socket, caller)
    else awaitKey(socket)
  }

  const awaitKey = (socket: WebSocket) => {
    unauthenticated.add(socket)
    const [oldest] = unauthenticated
    if (oldest && unauthenticated.size > limits.maxUnauthenticated) oldest.terminate()
    const patience = setTimeout(() => drop(socket, CLOSE.unauthorized), limits.authenticateWithinMs)
    const settle = () => {
      clearTimeout(patience)
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
      return null // the page asks for the reason over HTTP
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
  const signOut = (isGone: (caller: Caller) => boolean) => {
    for (const [socket, { caller, client }] of served) {
      if (!isGone(caller)) continue
      client.close()
      served.delete(socket)
      drop(socket, CLOSE.unauthorized)
    }
  }
  guard.callers.onSignOut(signOut)

  const heartbeat = setInterval(() => {
    signOut((caller) => !guard.callers.isSignedIn(caller))
    for (const socket of sockets.clients) {
      if (!answered.delete(socket)) socket.terminate()
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
        throw new AppError('database_busy', { message: `${limits.maxClients} clients are connected; no more are taken.` })
      sockets.handleUpgrade(request, socket, head, (client) => accept(client, caller))
    },
    async close() {
      clearInterval(heartbeat)
      const all = [...sockets.clients]
      const gone = all.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of all) drop(socket, CLOSE.goingAway)
      await Promise.all(gone)
      sockets.close()
    },
  }
}

function frameOf(data: RawData, isBinary: boolean): string | Uint8Array {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data
  return isBinary ? bytes : bytes.toString('utf8')
}
