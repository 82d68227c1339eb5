/** The limits of every listener of the product. A listener may have stricter ones; `listeners.test.ts` proves them on each. */
export interface Limits {
  /** From the connection or the first byte to the end of the headers, ms. */
  headersTimeoutMs: number
  /** From the first byte to the end of the body, ms; 0 where bodies may take as long as they like. */
  requestTimeoutMs: number
  maxConnections: number
  /** Limit of connections without a known caller; above it the longest waiting one is closed. */
  maxWaiting: number
  /** Limit of connections of one known caller. */
  maxPerCaller: number
}

export const LIMITS: Limits = { headersTimeoutMs: 10_000, requestTimeoutMs: 60_000, maxConnections: 256, maxWaiting: 64, maxPerCaller: 160 }

/** How long a connection is kept between two requests. */
export const IDLE_MS = 5000
/** A path of 4,096 characters has up to 37,000 bytes in an address. */
export const MAX_HEADER_BYTES = 64 * 1024
/** Largest body, and largest message of a socket that carries bodies, in bytes. */
export const MAX_BODY = 10 * 1024 * 1024
/** Deepest nesting of JSON: deeper than any real document, but safe for recursive code. */
export const MAX_DEPTH = 200
/** Messages of one socket that wait for their answer; above it the socket is not read. */
export const MAX_QUEUED = 16
/** Unsent bytes at which a client that does not read is dropped. */
export const MAX_UNSENT = 16 * 1024 * 1024
/** How long a client may take to close its side of a connection that we have ended. */
export const CLOSE_MS = 1000
