import { EventEmitter, once } from 'node:events'
import { AppError, type WireError } from '#contracts/errors.ts'
import { MAX_PER_FRAME, STREAM_WINDOW, type StreamEnd, type StreamSize } from '#contracts/streams.ts'
import type { Source } from './source.ts'

export interface Stream {
  /** The client has processed all bytes before `offset`. */
  acked(offset: number): void
  /** Writes bytes from the client; `offset` counts the client's bytes from 0. */
  write(offset: number, bytes: Uint8Array): void
  resize(size: StreamSize): void
  close(): void
}

/** The messages that a stream sends to its client. */
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

/** Passes bytes between a source and a client. Reads no more than the client can receive. */
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

  /** Waits until bytes may be sent, and returns how many. */
  const waitForWindow = async (): Promise<number> => {
    for (;;) {
      const available = STREAM_WINDOW - (sent - acked)
      if (available > 0) return Math.min(MAX_PER_FRAME, available)
      await once(acks, 'ack', { signal })
    }
  }

  const pump = async (from: Source) => {
    for (;;) {
      const chunk = await from.read(await waitForWindow(), signal)
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
  const fail = (error: unknown) => {
    if (signal.aborted) return
    if (!(error instanceof AppError)) client.onError(error)
    end({ reason: 'failed', error: toWireError(error) })
  }

  const run = async () => {
    const opened = await open()
    source = opened
    if (signal.aborted) return release()
    client.opened(opened.write !== undefined)
    await pump(opened)
    end({ reason: 'finished', error: null })
  }
  void run().catch(fail)

  return {
    acked(offset) {
      if (offset > sent) return client.refuse()
      acked = Math.max(acked, offset)
      acks.emit('ack')
    },
    write(offset, bytes) {
      if (!source?.write || offset !== received || received + bytes.length - written > STREAM_WINDOW) return client.refuse()
      received += bytes.length
      const writeNext = async () => {
        if (signal.aborted) return
        await source?.write?.(bytes)
        written += bytes.length
        if (!signal.aborted) client.ack(written)
      }
      writing = writing.then(writeNext).catch(fail)
    },
    resize(size) {
      try {
        source?.resize?.(size)
      } catch (error) {
        fail(error)
      }
    },
    close: () => void release(),
  }
}

const toWireError = (error: unknown): WireError['error'] =>
  (error instanceof AppError ? error : new AppError('internal', { cause: error })).toWire().error
