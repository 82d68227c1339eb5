import type { Caller } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { hashOf, newSecret } from '#server/data-dir/secrets.ts'

const GOOD_FOR_MS = 30_000
const MAX_OPEN = 200

export interface Tickets {
  /** `call` is the method, a space, and the path with its query. */
  create(caller: Caller, call: string): { ticket: string; expiresInMs: number }
  /** Returns the caller that created the ticket. A ticket can be tried once, for the call it was created for. */
  redeem(ticket: string, call: string): Caller
  clear(): void
}

/** Tickets for calls that cannot have a header (downloads, the docs page). Each permits one call, once. */
export function createTickets(clock: () => number = () => performance.now()): Tickets {
  const open = new Map<string, { caller: Caller; call: string; until: number }>()
  return {
    create(caller, call) {
      const ticket = newSecret('t')
      open.set(hashOf(ticket), { caller, call, until: clock() + GOOD_FOR_MS })
      for (const [hash, { until }] of open) if (until <= clock() || open.size > MAX_OPEN) open.delete(hash)
      return { ticket, expiresInMs: GOOD_FOR_MS }
    },
    redeem(ticket, call) {
      const hash = hashOf(ticket)
      const known = open.get(hash)
      open.delete(hash)
      if (!known || known.until <= clock() || known.call !== call)
        throw new AppError('unauthorized', { message: 'This link was used before or has expired. Open it again from the app.' })
      return known.caller
    },
    clear: () => open.clear(),
  }
}
