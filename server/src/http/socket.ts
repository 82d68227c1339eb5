import { type IncomingMessage, STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Caller } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { CLOSE } from '#contracts/messages.ts'
import type { Events } from '#server/events/events.ts'
import { toAppError } from './failure.ts'
import type { Guard } from './guard.ts'
import { createSubscriber, parseClientMessage, type SocketLimits, type Subscriber } from './subscriber.ts'

export const SOCKET_LIMITS: SocketLimits = {
  authenticateWithinMs: 5000,
  maxUnauthenticated: 16,
  subscribeWithinMs: 10_000,
  heartbeatMs: 30_000,
  maxBuffered: 8 * 1024 * 1024,
  maxClients: 64,
  coalesceMs: 100,
}

const MAX_PAYLOAD = 64 * 1024
/** A client that does not answer a close gets this long before its connection is cut, ms. */
const CLOSE_GRACE_MS = 1000

export interface SocketHub {
  readonly clients: number
  close(): Promise<void>
}

/**
 * `/ws`: the checks of every request, answered by status before the upgrade; then one subscriber a connection. A browser
 * cannot set a header on a socket: it is let in without one and has to show its session key in its first message.
 */
export function attachSocket(
  server: Server,
  options: { guard: Guard; events: Events; log: Logger; limits?: Partial<SocketLimits> },
): SocketHub {
  const { guard, events, log } = options
  const limits = { ...SOCKET_LIMITS, ...options.limits }
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD, perMessageDeflate: false })
  const subscribers = new Map<WebSocket, { caller: Caller; subscriber: Subscriber }>()
  const unauthenticated = new Set<WebSocket>()
  const answered = new WeakSet<WebSocket>()

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    let caller: Caller | null
    try {
      guard.checkSource(request.headers)
      if (request.url?.split('?', 1)[0] !== '/ws') throw new AppError('not_found', { message: 'The socket is at /ws.' })
      caller = guard.callerOf(request.headers)
      if (sockets.clients.size - unauthenticated.size >= limits.maxClients)
        throw new AppError('database_busy', { message: `${limits.maxClients} clients are connected; no more are taken.` })
    } catch (error) {
      return refuse(socket, toAppError(error))
    }
    sockets.handleUpgrade(request, socket, head, (client) => accept(client, caller))
  }

  const drop = (client: WebSocket, { code, reason }: { code: number; reason: string }) => {
    client.close(code, reason)
    setTimeout(() => client.terminate(), CLOSE_GRACE_MS).unref()
  }

  const accept = (client: WebSocket, caller: Caller | null) => {
    answered.add(client)
    client.on('pong', () => answered.add(client))
    client.on('error', () => client.terminate()) // a frame over the limit, or a broken one
    if (caller) subscribe(client, caller)
    else awaitKey(client)
  }

  const awaitKey = (client: WebSocket) => {
    unauthenticated.add(client)
    const [oldest] = unauthenticated
    if (oldest && unauthenticated.size > limits.maxUnauthenticated) oldest.terminate()
    const patience = setTimeout(() => drop(client, CLOSE.unauthorized), limits.authenticateWithinMs)
    const settle = () => {
      clearTimeout(patience)
      unauthenticated.delete(client)
    }
    client.once('close', settle)
    client.once('message', (data: RawData, isBinary) => {
      settle()
      const text = isBinary ? null : textOf(data)
      const caller = callerOfMessage(text)
      if (!caller) return drop(client, CLOSE.unauthorized)
      if (subscribers.size >= limits.maxClients) return drop(client, CLOSE.tooMany)
      subscribe(client, caller).receive(text)
    })
  }

  const callerOfMessage = (text: string | null): Caller | null => {
    const key = text === null ? undefined : parseClientMessage(text)?.key
    try {
      return key === undefined ? null : guard.callers.callerOf(key)
    } catch {
      return null // the page asks over HTTP why
    }
  }

  const subscribe = (client: WebSocket, caller: Caller) => {
    const subscriber = createSubscriber(events, {
      send: (text) => {
        if (client.readyState !== client.OPEN) return
        client.send(text)
        if (client.bufferedAmount > limits.maxBuffered) {
          log.warn({ buffered: client.bufferedAmount }, 'A socket client was dropped: too slow')
          subscriber.close()
          drop(client, CLOSE.tooSlow)
        }
      },
      buffered: () => client.bufferedAmount,
      refuse: (close) => drop(client, close),
      limits,
    })
    subscribers.set(client, { caller, subscriber })
    client.on('message', (data: RawData, isBinary) => subscriber.receive(isBinary ? null : textOf(data)))
    client.on('close', () => {
      subscriber.close()
      subscribers.delete(client)
    })
    return subscriber
  }

  /** Nothing more goes to who was signed out, also while its socket is still closing. */
  const signOut = (isGone: (caller: Caller) => boolean) => {
    for (const [client, { caller, subscriber }] of subscribers) {
      if (!isGone(caller)) continue
      subscriber.close()
      subscribers.delete(client)
      drop(client, CLOSE.unauthorized)
    }
  }
  guard.callers.onSignOut(signOut)

  const heartbeat = setInterval(() => {
    signOut((caller) => !guard.callers.isSignedIn(caller))
    for (const client of sockets.clients) {
      if (!answered.delete(client)) client.terminate()
      else client.ping()
    }
  }, limits.heartbeatMs)
  heartbeat.unref()

  const stopMessages = events.subscribe((message) => {
    if (subscribers.size === 0) return
    const text = JSON.stringify(message) // once for all clients
    for (const { subscriber } of subscribers.values()) subscriber.deliver(message, text)
  })
  const stopEpochs = events.onNewEpoch(() => {
    for (const { subscriber } of subscribers.values()) subscriber.reset('the database was recreated')
  })
  server.on('upgrade', onUpgrade)

  return {
    get clients() {
      return sockets.clients.size
    },
    async close() {
      clearInterval(heartbeat)
      stopMessages()
      stopEpochs()
      server.off('upgrade', onUpgrade)
      const all = [...sockets.clients]
      const gone = all.map((client) => new Promise((resolve) => client.once('close', resolve)))
      for (const client of all) drop(client, CLOSE.goingAway)
      await Promise.all(gone)
      sockets.close()
    },
  }
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data).toString('utf8')

/** The answer to an upgrade that is not made: an ordinary HTTP response on the raw connection. */
function refuse(socket: Duplex, failure: AppError): void {
  const body = JSON.stringify(failure.toWire())
  socket.end(
    [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
