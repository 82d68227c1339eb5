import type { StreamKind, StreamSize } from '#contracts/streams.ts'

/** Bytes of a source; `offset` is the position of the first. */
export interface Chunk {
  offset: number
  bytes: Uint8Array
}

/** What a stream reads from and writes to; one reader each. */
export interface Source {
  /**
   * The next bytes, at most `most`; waits for some. Null: there are no more, ever. An offset beyond the last byte read
   * means that those between are no longer kept. Rejects when `signal` fires.
   */
  read(most: number, signal: AbortSignal): Promise<Chunk | null>
  /** Resolves when the bytes were accepted and more may follow. Without it the stream is read-only. */
  write?(bytes: Uint8Array): void | Promise<void>
  resize?(size: StreamSize): void
  close(): void | Promise<void>
}

/** Throws one of the errors of its kind. */
export type OpenSource = (id: string, from: number) => Source | Promise<Source>

/** A kind of stream with its opener, as a stage declares it. */
export interface StreamImplementation {
  readonly kind: StreamKind
  readonly open: OpenSource
}
