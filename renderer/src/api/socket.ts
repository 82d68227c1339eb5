import { CLOSE, type Payload, type ServerMessage, type ServerMessageType } from '#contracts/messages.ts'

export type SocketState = 'connecting' | 'online' | 'offline' | 'signed-out'

export interface SocketOptions {
  url: string
  /** The session key, shown in the first message. */
  key?: () => string | null
  /** Each message once and in order, `hello` and `reset` included. */
  onMessage: (message: ServerMessage) => void
  /** `retryAt`: when the next try starts (ms since 1970), null while connected. */
  onState: (state: SocketState, retryAt: number | null) => void
  /** First and longest wait between tries, ms. */
  backoff?: { first: number; longest: number }
}

export interface ServerSocket {
  /** Tries at once instead of waiting for the next try. */
  retry(): void
  close(): void
}

/**
 * One connection that resumes: after a disconnect it subscribes with the number of the last message it has seen, so the
 * server replays what it missed. An unknown epoch or a gap is answered with `reset`; then the whole cache is invalid (the
 * caller's `reset` handler reloads) and the subscription restarts at the number in the payload.
 */
export function openSocket({
  url,
  key = () => null,
  onMessage,
  onState,
  backoff = { first: 250, longest: 10_000 },
}: SocketOptions): ServerSocket {
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let closed = false
  let seq: number | null = null
  let epoch: string | undefined

  const subscribe = () => {
    const currentKey = key()
    socket?.send(
      JSON.stringify({
        type: 'subscribe',
        topics: ['*'],
        afterSeq: seq,
        ...(epoch && { epoch }),
        ...(currentKey !== null && { key: currentKey }),
      }),
    )
  }

  const handleMessage = (message: ServerMessage) => {
    switch (message.type) {
      case 'hello':
        tries = 0
        epoch = message.payload.epoch
        seq ??= message.payload.seq
        onState('online', null)
        break
      case 'reset':
        epoch = message.payload.epoch
        seq = message.payload.seq
        subscribe()
        break
      default:
        if (message.seq !== null) {
          // a replay may overlap live messages, so a number that was already handled is skipped
          if (seq !== null && message.seq <= seq) return
          seq = message.seq
        }
    }
    onMessage(message)
  }

  const connect = () => {
    onState('connecting', null)
    const newSocket = new WebSocket(url)
    socket = newSocket
    newSocket.addEventListener('open', subscribe)
    newSocket.addEventListener('message', ({ data }) => {
      const message = readMessage(data)
      if (message && socket === newSocket) handleMessage(message)
    })
    // no `error` listener, because `close` follows each error and has a code
    newSocket.addEventListener('close', ({ code }) => {
      if (closed || socket !== newSocket) return
      socket = null
      if (code === CLOSE.unauthorized.code) {
        onState('signed-out', null)
        return
      }
      // random, so that many tabs do not reconnect at once
      const wait = Math.min(backoff.longest, backoff.first * 2 ** tries) * (0.75 + Math.random() / 2)
      tries += 1
      onState('offline', Date.now() + wait)
      timer = setTimeout(connect, wait)
    })
  }
  connect()

  return {
    retry() {
      if (closed || socket) return
      clearTimeout(timer)
      tries = 0
      connect()
    },
    close() {
      closed = true
      clearTimeout(timer)
      socket?.close(1000, 'page closed')
    },
  }
}

/** An envelope `{type, seq, at, payload}`, or null for anything else. Unknown types pass; the registry ignores them. */
function readMessage(data: unknown): ServerMessage | null {
  if (typeof data !== 'string') return null
  try {
    const message = JSON.parse(data) as Partial<ServerMessage>
    return typeof message === 'object' && message !== null && typeof message.type === 'string' ? (message as ServerMessage) : null
  } catch {
    return null
  }
}

type Listener<T extends ServerMessageType> = (payload: Payload<T>) => void
const listeners = new Map<ServerMessageType, Set<Listener<never>>>()

/** Listens to one type of message outside the cache (a live page that appends, a notification). Returns the unsubscribe function. */
export function onMessage<T extends ServerMessageType>(type: T, listener: Listener<T>): () => void {
  const set = listeners.get(type) ?? new Set()
  listeners.set(type, set)
  set.add(listener)
  return () => set.delete(listener)
}

export function notifyListeners(message: ServerMessage): void {
  listeners.get(message.type)?.forEach((listener) => (listener as (payload: unknown) => void)(message.payload))
}
