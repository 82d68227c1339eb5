import type { z } from 'zod'

/** The messages of a stage or noun. */
export interface MessageGroup {
  /** Stored with their rows and sent again after a reconnect. Payloads have ids, counts and list rows, never session text. */
  durable: Readonly<Record<string, z.ZodType>>
  /** Transient messages: `seq` is null, and after a reconnect the client reads their resource instead. */
  passing: Readonly<Record<string, z.ZodType>>
  /** Transient messages that a newer one replaces, with the key by which they are replaced. */
  newestOnly?: object
  /** Durable messages that replace a waiting message of `newestOnly`. */
  overtakes?: object
}
