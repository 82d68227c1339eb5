import { EventEmitter, once } from 'node:events'
import { AppError, type WireError } from '#contracts/errors.ts'
import { MAX_PER_FRAME, STREAM_WINDOW, type StreamEnd, type StreamSize } from '#contracts/streams.ts'
import type { Source } from './source.ts'

export interface Stream {
  /** The client has processed all bytes before this one. */
  acked(offset: number): void
  /** Bytes of the client, in its own count from 0. */
  write(offset: number, bytes: Uint8Array): void
  resize(size: StreamSize): void
  close(): void
}

/** What a stream sends to its client. */
export interface StreamEvents {
  from: number
  opened(isWritable: boolean): void
  bytes(offset: number, bytes: Uint8Array): void
  gap(lost: { from: number; to: number }): void
  ack(offset: number): void
  /** Sent once, as the last message; not after `close`. */
  end(end: StreamEnd): void
  refuse(): void
  onError(error: unknown): void
}

/** Carries bytes between a source and a client. Reads no more of the source than the client can take. */
export function openStream(open: () => Source | Promise<Source>, client: StreamEvents): Stream {
  const closing = new AbortController()
  const { signal } = closing
  const acks = new EventEmitter()
  let source: Source | null = null
  let sent = client.from
  let acked = client.from
  let received = 0
  let written = 0
  let writing: Promise<void> = Promise.resolve()

  /** How many bytes may be sent; waits until it is more than 0. */
  const allowed = async (): Promise<number> => {
    for (;;) {
      const available = STREAM_WINDOW - (sent - acked)
      if (available > 0) return Math.min(MAX_PER_FRAME, available)
      await once(acks, 'ack', { signal })
    }
  }

  const pump = async (from: Source) => {
    for (;;) {
      const chunk = await from.read(await allowed(), signal)
      if (signal.aborted || chunk === null) return
      if (chunk.offset > sent) client.gap({ from: sent, to: chunk.offset })
      client.bytes(chunk.offset, chunk.bytes)
      sent = chunk.offset + chunk.bytes.length
    }
  }

  const release = async () => {
    closing.abort()
    try {
      await source?.close()
    } catch (error) {
      client.onError(error)
    }
  }
  const end = (how: StreamEnd) => {
    if (signal.aborted) return
    void release()
    client.end(how)
  }
  const failed = (error: unknown) => {
    if (signal.aborted) return
    if (!(error instanceof AppError)) client.onError(error)
    end({ reason: 'failed', error: onTheWire(error) })
  }

  const run = async () => {
    const opened = await open()
    source = opened
    if (signal.aborted) return release()
    client.opened(opened.write !== undefined)
    await pump(opened)
    end({ reason: 'finished', error: null })
  }
  void run().catch(failed)

  return {
    acked(offset) {
      if (offset > sent) return client.refuse()
      acked = Math.max(acked, offset)
      acks.emit('ack')
    },
    write(offset, bytes) {
      if (!source?.write || offset !== received || received + bytes.length - written > STREAM_WINDOW) return client.refuse()
      received += bytes.length
      const take = async () => {
        if (signal.aborted) return
        await source?.write?.(bytes)
        written += bytes.length
        if (!signal.aborted) client.ack(written)
      }
      writing = writing.then(take).catch(failed)
    },
    resize(size) {
      try {
        source?.resize?.(size)
      } catch (error) {
        failed(error)
      }
    },
    close: () => void release(),
  }
}

const onTheWire = (error: unknown): WireError['error'] =>
  (error instanceof AppError ? error : new AppError('internal', { cause: error })).toWire().error
