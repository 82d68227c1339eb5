import { hash, randomInt } from 'node:crypto'
import type { Caller } from '#contracts/derive/route.ts'
import type { ConfirmedChange, Confirmation } from '#contracts/entities/confirmation.ts'
import { AppError } from '#contracts/errors.ts'

const GOOD_FOR_MS = 10 * 60_000
const MAX_OPEN = 50
/** Without letters and digits that look alike. */
const SIGNS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'

export interface Confirmations {
  /**
   * Passes if there is nothing to confirm, where the owner of the data directory asks, and once after the owner has
   * confirmed exactly these changes for this browser. Else throws `confirmation_required` with the confirmation in its details.
   * `exactly`: more that must be the same, and that is not shown. `isRepeatable`: passes again until unused for 10 minutes.
   */
  require(caller: Caller, changes: readonly ConfirmedChange[], options?: { exactly?: string; isRepeatable?: boolean }): void
  get(id: string): Confirmation
  confirm(id: string): Confirmation
}

interface Asked {
  confirmation: Confirmation
  /** Who asked for what. */
  fingerprint: string
  until: number
}

/** Changes that a session key alone must not make. In memory: a restart forgets what was not confirmed. */
export function createConfirmations(options: {
  now: () => number
  clock?: () => number
  onConfirmed: (id: string) => void
}): Confirmations {
  const { now, clock = () => performance.now() } = options
  const asked = new Map<string, Asked>()
  const dropOld = () => {
    for (const [id, { until }] of asked) if (until <= clock() || asked.size > MAX_OPEN) asked.delete(id)
  }
  const find = (id: string): Confirmation => {
    dropOld()
    const found = asked.get(id.trim().toUpperCase())
    if (!found) throw new AppError('confirmation_not_found')
    return found.confirmation
  }
  return {
    require(caller, changes, { exactly = '', isRepeatable = false } = {}) {
      if (caller.kind === 'owner' || changes.length === 0) return
      dropOld()
      const fingerprint = hashOf(JSON.stringify([caller, changes, exactly]))
      const known = [...asked.values()].find((one) => one.fingerprint === fingerprint)
      if (known?.confirmation.state === 'confirmed') {
        if (isRepeatable) known.until = clock() + GOOD_FOR_MS
        else asked.delete(known.confirmation.id)
        return
      }
      const confirmation = known?.confirmation ?? {
        id: newCode(),
        changes: [...changes],
        state: 'open' as const,
        expiresAt: new Date(now() + GOOD_FOR_MS).toISOString(),
      }
      if (!known) asked.set(confirmation.id, { confirmation, fingerprint, until: clock() + GOOD_FOR_MS })
      throw new AppError('confirmation_required', {
        hint: `Run \`bashgym confirm ${confirmation.id}\`, then try again.`,
        details: { confirmation },
      })
    },
    get: find,
    confirm(id) {
      const confirmation = find(id)
      if (confirmation.state === 'open') {
        confirmation.state = 'confirmed'
        options.onConfirmed(confirmation.id)
      }
      return confirmation
    },
  }
}

const hashOf = (text: string) => hash('sha256', text)

/** Names a change to the owner, who alone can confirm it: it must be unique, not secret. */
function newCode(): string {
  const part = () => Array.from({ length: 4 }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  return `${part()}-${part()}`
}
