import { AppError } from '#contracts/errors.ts'
import { MAX_STREAMS, readStreamFrame, type StreamReply, streamFrame, StreamRequest } from '#contracts/streams.ts'
import { openStream, type Stream } from './stream.ts'
import type { StreamImplementation } from './source.ts'

/** The connection to one client. */
export interface StreamLine {
  send(frame: string | Uint8Array): void
  /** Called if the client violates the protocol. */
  refuse(): void
  /** Called with an unexpected error; the client gets `internal`. */
  onError(error: unknown): void
}

export interface StreamConnection {
  /** Handles a frame from the client: text or bytes. */
  receive(frame: string | Uint8Array): void
  close(): void
}

/** Handles all streams of one client. */
export function createStreamConnection(implementations: readonly StreamImplementation[], line: StreamLine): StreamConnection {
  const streams = new Map<number, Stream>()
  const reply = (message: StreamReply) => line.send(JSON.stringify(message))

  const sourceOf = ({ kind, id, from }: { kind: string; id: string; from: number }) => {
    const implementation = implementations.find((one) => one.kind.name === kind)
    if (!implementation) throw new AppError('not_found', { message: `Unknown kind of stream "${kind}".` })
    if (streams.size >= MAX_STREAMS)
      throw new AppError('database_busy', { message: `${MAX_STREAMS} streams are open on this connection; close one of them first.` })
    const parsedId = implementation.kind.id.safeParse(id)
    if (!parsedId.success) throw new AppError('not_found', { message: `"${id}" is not the id of a ${kind} stream.` })
    return implementation.open(parsedId.data, from)
  }

  const open = ({ stream, kind, id, from }: StreamRequest & { type: 'open' }) => {
    if (streams.has(stream)) return line.refuse()
    const opened = openStream(() => sourceOf({ kind, id, from }), {
      from,
      opened: (isWritable) => reply({ type: 'opened', stream, isWritable }),
      bytes: (offset, bytes) => line.send(streamFrame(stream, offset, bytes)),
      gap: (lost) => reply({ type: 'gap', stream, ...lost }),
      ack: (offset) => reply({ type: 'ack', stream, offset }),
      end(end) {
        streams.delete(stream)
        reply({ type: 'end', stream, ...end })
      },
      refuse: () => line.refuse(),
      onError: (error) => line.onError(error),
    })
    streams.set(stream, opened)
  }

  const handle = (request: StreamRequest) => {
    if (request.type === 'open') return open(request)
    const stream = streams.get(request.stream) // undefined if the stream ended before the client knew
    switch (request.type) {
      case 'ack':
        return stream?.acked(request.offset)
      case 'resize':
        return stream?.resize(request)
      case 'close':
        streams.delete(request.stream)
        return stream?.close()
    }
  }

  return {
    receive(frame) {
      if (typeof frame === 'string') {
        const request = parseStreamRequest(frame)
        if (request) handle(request)
        else line.refuse()
        return
      }
      const input = readStreamFrame(frame)
      if (input) streams.get(input.stream)?.write(input.offset, input.bytes)
      else line.refuse()
    },
    close() {
      for (const stream of streams.values()) stream.close()
      streams.clear()
    },
  }
}

export function parseStreamRequest(text: string): StreamRequest | null {
  try {
    return StreamRequest.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
