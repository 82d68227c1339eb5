import { randomBytes } from 'node:crypto'

const GOOD_FOR_MS = 60_000
const MAX_OPEN = 100

export interface SessionCodes {
  /** A new code; `expiresInMs` from now. */
  create(): { code: string; expiresInMs: number }
  /** True once for each code, within its time. */
  redeem(code: string): boolean
}

/** One-time sign-in codes. `clock` is monotonic, so that a clock set back makes no code live longer. */
export function createSessionCodes(clock: () => number = () => performance.now()): SessionCodes {
  const open = new Map<string, number>()
  const dropOld = () => {
    for (const [code, until] of open) if (until <= clock() || open.size > MAX_OPEN) open.delete(code)
  }
  return {
    create() {
      const code = randomBytes(32).toString('base64url')
      open.set(code, clock() + GOOD_FOR_MS)
      dropOld()
      return { code, expiresInMs: GOOD_FOR_MS }
    },
    redeem(code) {
      dropOld()
      return open.delete(code)
    },
  }
}
