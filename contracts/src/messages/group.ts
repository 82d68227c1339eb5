import type { z } from 'zod'

/** The messages of a stage or noun. */
export interface MessageGroup {
  /** Facts: appended with their rows, replayed after a reconnect. Payloads carry ids, counts and list rows, never session text. */
  durable: Readonly<Record<string, z.ZodType>>
  /** Passing ones: `seq` null, coalesced, read from their resource after a reconnect. */
  passing: Readonly<Record<string, z.ZodType>>
  /** Passing ones of which only the newest counts, with what makes two of them the same. */
  newestOnly?: object
  /** Durable ones after which a waiting one of `newestOnly` is void. */
  overtakes?: object
}
