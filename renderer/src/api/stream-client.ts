import { AppError } from '#contracts/errors.ts'
import { CLOSE } from '#contracts/messages.ts'
import {
  ACK_EVERY,
  MAX_PER_FRAME,
  readStreamFrame,
  STREAM_WINDOW,
  type StreamEnd,
  streamFrame,
  type StreamKind,
  StreamReply,
  type StreamRequest,
  type StreamSize,
} from '#contracts/streams.ts'

export interface StreamOptions {
  kind: StreamKind
  id: string
  /** The first requested byte. */
  from?: number
  /** Receives bytes in order. The server sends at most one window beyond the bytes for which this has resolved. */
  onBytes: (bytes: Uint8Array, offset: number) => void | Promise<void>
  /** Bytes that are no longer stored. */
  onGap?: (lost: { from: number; to: number }) => void
  /** Called with true when connected and false when disconnected. The stream continues automatically where it stopped. Only write after true. */
  onFlow?: (flows: boolean) => void
  /** There are no more bytes. */
  onEnd?: (end: StreamEnd) => void
}

export interface ByteStream {
  /** Resolves when the server has accepted the bytes. Rejects if that is unknown, because bytes are never sent twice. */
  write(bytes: Uint8Array): Promise<void>
  resize(size: StreamSize): void
  close(): void
}

export interface StreamsOptions {
  url: string
  /** The session key, shown in the first frame. */
  key?: () => string | null
  /** First and longest wait between tries to reconnect, ms. */
  backoff?: { first: number; longest: number }
}

type Send = (frame: StreamRequest | Uint8Array<ArrayBuffer>) => void

/** All streams over one connection, which exists while a stream is open. */
export function createStreams({ url, key = () => null, backoff = { first: 250, longest: 10_000 } }: StreamsOptions) {
  const streams = new Map<number, ReturnType<typeof createStream>>()
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let lastNumber = 0

  const send: Send = (frame) => socket?.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame))

  const connect = () => {
    timer = undefined
    const newSocket = new WebSocket(url)
    newSocket.binaryType = 'arraybuffer'
    socket = newSocket
    newSocket.addEventListener('open', () => {
      for (const stream of streams.values()) stream.connected(send, key())
    })
    newSocket.addEventListener('message', ({ data }) => {
      if (socket === newSocket) handleMessage(data)
    })
    newSocket.addEventListener('close', ({ code }) => {
      if (socket !== newSocket) return
      socket = null
      for (const stream of streams.values()) stream.disconnected()
      if (code === CLOSE.unauthorized.code) {
        const { error } = new AppError('unauthorized').toWire()
        for (const number of streams.keys()) remove(number)?.ended({ reason: 'failed', error })
        return
      }
      timer = setTimeout(connect, Math.min(backoff.longest, backoff.first * 2 ** tries) * (0.75 + Math.random() / 2))
      tries += 1
    })
  }

  const handleMessage = (data: unknown) => {
    if (data instanceof ArrayBuffer) {
      const frame = readStreamFrame(new Uint8Array(data))
      if (frame) streams.get(frame.stream)?.bytes(frame.offset, frame.bytes)
      return
    }
    const reply = StreamReply.parse(JSON.parse(String(data)))
    const stream = streams.get(reply.stream)
    switch (reply.type) {
      case 'opened':
        tries = 0
        return stream?.opened(reply.isWritable)
      case 'gap':
        return stream?.gap(reply)
      case 'ack':
        return stream?.acked(reply.offset)
      case 'end':
        return remove(reply.stream)?.ended({ reason: reply.reason, error: reply.error })
    }
  }

  const remove = (number: number) => {
    const stream = streams.get(number)
    streams.delete(number)
    stream?.disconnected()
    if (streams.size === 0) {
      clearTimeout(timer)
      timer = undefined
      socket?.close(1000, 'no stream is open')
      socket = null
    }
    return stream
  }

  return {
    open(options: StreamOptions): ByteStream {
      const number = ++lastNumber
      const stream = createStream(number, options)
      streams.set(number, stream)
      if (socket?.readyState === WebSocket.OPEN) stream.connected(send, null)
      else if (!socket && timer === undefined) connect()
      return {
        write: (bytes) => stream.write(bytes),
        resize: (size) => stream.resize(size),
        close() {
          if (!streams.has(number)) return
          stream.closing()
          remove(number)
        },
      }
    },
  }
}

/** One stream, which outlives single connections. */
function createStream(number: number, options: StreamOptions) {
  let send: Send | null = null
  let received = options.from ?? 0
  let acknowledged = received
  let work: Promise<void> = Promise.resolve() // delivers received bytes in order
  let size: StreamSize | null = null
  let input = createInput()

  const acknowledge = (offset: number) => {
    if (offset - acknowledged < ACK_EVERY) return
    acknowledged = offset
    send?.({ type: 'ack', stream: number, offset })
  }

  return {
    connected(over: Send, key: string | null) {
      send = over
      acknowledged = received
      const credentials = key === null ? {} : { key }
      send({ type: 'open', stream: number, kind: options.kind.name, id: options.id, from: received, ...credentials })
    },
    opened(isWritable: boolean) {
      if (isWritable) input.open((offset, bytes) => send?.(streamFrame(number, offset, bytes)))
      if (size) send?.({ type: 'resize', stream: number, ...size })
      options.onFlow?.(true)
    },
    disconnected() {
      if (!send) return
      send = null
      input.close()
      input = createInput()
      options.onFlow?.(false)
    },
    bytes(offset: number, bytes: Uint8Array) {
      const end = offset + bytes.length
      received = end
      const deliver = async () => {
        await options.onBytes(bytes, offset)
        acknowledge(end)
      }
      work = work.then(deliver)
    },
    gap({ from, to }: { from: number; to: number }) {
      received = to
      work = work.then(() => options.onGap?.({ from, to }))
    },
    acked: (offset: number) => input.acked(offset),
    ended(end: StreamEnd) {
      work = work.then(() => options.onEnd?.(end))
    },
    write: (bytes: Uint8Array) => input.write(bytes),
    resize(to: StreamSize) {
      size = to
      send?.({ type: 'resize', stream: number, ...to })
    },
    closing: () => send?.({ type: 'close', stream: number }),
  }
}

/** Sends written bytes in order, at most one window beyond what the server has acknowledged. */
function createInput() {
  const parts: Uint8Array[] = []
  const waiting: { end: number; resolve: () => void; reject: (error: Error) => void }[] = []
  let send: ((offset: number, bytes: Uint8Array) => void) | null = null
  let [writtenBytes, sentBytes, acknowledgedBytes] = [0, 0, 0]

  const flush = () => {
    for (let next = parts[0]; next && sentBytes + next.length - acknowledgedBytes <= STREAM_WINDOW; next = parts[0]) {
      send?.(sentBytes, next)
      sentBytes += next.length
      parts.shift()
    }
  }

  return {
    open(over: (offset: number, bytes: Uint8Array) => void) {
      send = over
    },
    write(bytes: Uint8Array): Promise<void> {
      if (!send) return Promise.reject(new Error('The stream is not connected, or cannot be written to.'))
      if (bytes.length === 0) return Promise.resolve()
      for (let at = 0; at < bytes.length; at += MAX_PER_FRAME) parts.push(bytes.slice(at, at + MAX_PER_FRAME))
      writtenBytes += bytes.length
      const end = writtenBytes
      return new Promise((resolve, reject) => {
        waiting.push({ end, resolve, reject })
        flush()
      })
    },
    acked(offset: number) {
      acknowledgedBytes = offset
      while (waiting[0] && waiting[0].end <= acknowledgedBytes) waiting.shift()?.resolve()
      flush()
    },
    close() {
      send = null
      const lost = new Error('The connection broke before these bytes were acknowledged. They may or may not have arrived.')
      for (const { reject } of waiting.splice(0)) reject(lost)
    },
  }
}
