import { hash, randomInt } from 'node:crypto'
import type { Caller } from '#contracts/derive/route.ts'
import type { ConfirmedChange, Confirmation } from '#contracts/entities/confirmation.ts'
import { AppError } from '#contracts/errors.ts'

const VALID_MS = 10 * 60_000
const MAX_OPEN = 50
/** Letters and digits, except those that look alike. */
const CODE_CHARACTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'

export interface Confirmations {
  /**
   * Returns if there are no changes, if the caller is the owner, or once after the owner confirmed exactly these changes
   * for this caller. Otherwise throws `confirmation_required` with the confirmation in its details. `exactly` is text that
   * must also be the same, but is not shown. `canTrust`: a folder of it can be made a trusted one. `isRepeatable`: of a call that only looks, which is also allowed again, before and
   * after the one that acts, until it is unused for 10 minutes.
   */
  require(caller: Caller, changes: readonly ConfirmedChange[], options?: AskOptions): void
  get(id: string): Confirmation
  confirm(id: string): Confirmation
}

interface AskOptions {
  title?: string
  exactly?: string
  canTrust?: boolean
  isRepeatable?: boolean
}

interface PendingConfirmation {
  confirmation: Confirmation
  /** Hash of the caller and the changes. */
  fingerprint: string
  until: number
  /** True once the call that acts was allowed. */
  isUsed: boolean
}

/** Confirmations of changes that a session key alone must not make. They are only in memory, so a restart drops them. */
export function createConfirmations(options: {
  now: () => number
  clock?: () => number
  onConfirmed: (id: string) => void
}): Confirmations {
  const { now, clock = () => performance.now() } = options
  const pending = new Map<string, PendingConfirmation>()
  const dropOld = () => {
    for (const [id, { until }] of pending) if (until <= clock() || pending.size > MAX_OPEN) pending.delete(id)
  }
  const find = (id: string): Confirmation => {
    dropOld()
    const found = pending.get(id.trim().toUpperCase())
    if (!found) throw new AppError('confirmation_not_found')
    return found.confirmation
  }
  return {
    require(caller, changes, { title = 'Confirm this change', exactly = '', canTrust = false, isRepeatable = false } = {}) {
      if (caller.kind === 'owner' || changes.length === 0) return
      dropOld()
      const fingerprint = hashOf(JSON.stringify([caller, changes, exactly]))
      const same = [...pending.values()].filter((one) => one.fingerprint === fingerprint)
      const allowed = same.find(({ confirmation, isUsed }) => confirmation.state === 'confirmed' && (isRepeatable || !isUsed))
      if (allowed) {
        if (isRepeatable) allowed.until = clock() + VALID_MS
        else allowed.isUsed = true
        return
      }
      const open = same.find(({ confirmation }) => confirmation.state === 'open')
      const confirmation = open?.confirmation ?? {
        id: newCode(),
        title,
        changes: [...changes],
        state: 'open' as const,
        canTrust,
        expiresAt: new Date(now() + VALID_MS).toISOString(),
      }
      if (!open) pending.set(confirmation.id, { confirmation, fingerprint, until: clock() + VALID_MS, isUsed: false })
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

/** The code must be unique but not secret, because only the owner can confirm a change. */
function newCode(): string {
  const part = () => Array.from({ length: 4 }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('')
  return `${part()}-${part()}`
}
