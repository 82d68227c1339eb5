import type { Duplex, Readable, Writable } from 'node:stream'
import type { ProcessMark } from './marks.ts'

/** A started program, whoever is its parent. */
export interface Child extends ProcessMark {
  streams: readonly (Readable | Writable | Duplex | null | undefined)[]
  /** Resolves when it has ended; its group has been killed then, unless its children may outlive it. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Signals its whole group, unless it has ended. */
  signal: (name: NodeJS.Signals) => void
}

/** Start time of a process that ended before it could be read. */
export const UNKNOWN_START = 'gone'

/** Calls `then` once the stream is closed. A program that ends at once has streams that were closed before anybody had them. */
export function whenClosed(stream: Readable | Duplex, then: () => void): void {
  if (stream.closed) queueMicrotask(then)
  else stream.once('close', then)
}
