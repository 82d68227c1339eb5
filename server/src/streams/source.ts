import type { StreamKind, StreamSize } from '#contracts/streams.ts'

/** Bytes of a source; `offset` is the position of the first byte. */
export interface Chunk {
  offset: number
  bytes: Uint8Array
}

/** A stream reads from its source and writes to it. Each source has one reader. */
export interface Source {
  /**
   * Waits for the next bytes and returns at most `maxBytes`; null at the end. If the offset is beyond the last byte that
   * was read, the bytes between are no longer stored. Rejects when `signal` fires.
   */
  read(maxBytes: number, signal: AbortSignal): Promise<Chunk | null>
  /** Resolves when the source accepts more bytes. A stream without it is read-only. */
  write?(bytes: Uint8Array): void | Promise<void>
  resize?(size: StreamSize): void
  close(): void | Promise<void>
}

/** Opens a source; throws errors that its kind declares. */
export type OpenSource = (id: string, from: number) => Source | Promise<Source>

/** A kind of stream that a stage provides. */
export interface StreamImplementation {
  readonly kind: StreamKind
  readonly open: OpenSource
}
