import type { Budget } from '#contracts/entities/augment.ts'
import type { Usage } from './types.ts'

export interface Charge {
  usd: number
  tokens: number
}
export interface Tokens {
  input: number
  output: number
}
/** USD per million tokens. Without a price of its own, the cache costs as much as other input. */
export interface Price {
  inputPerMTok: number
  outputPerMTok: number
  cacheReadPerMTok?: number
  cacheWritePerMTok?: number
}

/** A cap that is kept by reserving the most that a request can cost before it is sent, and settling when it is answered. */
export interface Purse {
  readonly spent: Charge
  /** Null when it does not fit into what is left. */
  reserve(most: Tokens): Charge | null
  /** Instead of what was reserved; returns what is charged. */
  settle(reserved: Charge, used: Tokens): Charge
  /** Nothing was charged for it. */
  release(reserved: Charge): void
  /** True when a provider charged more than can have been asked for. */
  readonly overdrawn: boolean
}

const NOTHING: Charge = { usd: 0, tokens: 0 }

/** Null if no price is known. */
export function costOf(price: Price | null, { input, output, cacheRead, cacheWrite }: Tokens & Partial<Usage>): number | null {
  if (!price) return null
  const { inputPerMTok, outputPerMTok, cacheReadPerMTok = inputPerMTok, cacheWritePerMTok = inputPerMTok } = price
  const read = cacheRead ?? 0
  const written = cacheWrite ?? 0
  const rest = Math.max(0, input - read - written) // some servers count the cache apart
  const usd = rest * inputPerMTok + read * cacheReadPerMTok + written * cacheWritePerMTok + output * outputPerMTok
  return usd / 1_000_000
}

/** `before`: what this run has spent so far, with what it may have. */
export function createPurse(budget: Budget, price: Price | null, before: Charge = NOTHING): Purse {
  const spent = { ...before }
  const most = { usd: budget.usd ?? Infinity, tokens: budget.tokens ?? Infinity }
  // what a cache saves is left out: prices of it are guessed for some providers, and a cap must hold
  const chargeOf = ({ input, output }: Tokens): Charge => ({ usd: costOf(price, { input, output }) ?? 0, tokens: input + output })
  const add = ({ usd, tokens }: Charge, sign: 1 | -1) => {
    spent.usd += sign * usd
    spent.tokens += sign * tokens
  }
  return {
    spent,
    reserve(tokens) {
      const charge = chargeOf(tokens)
      if (spent.usd + charge.usd > most.usd || spent.tokens + charge.tokens > most.tokens) return null
      add(charge, 1)
      return charge
    },
    settle(reserved, used) {
      const charge = chargeOf(used)
      add(reserved, -1)
      add(charge, 1)
      return charge
    },
    release: (reserved) => add(reserved, -1),
    get overdrawn() {
      return spent.usd > most.usd + 1e-9 || spent.tokens > most.tokens
    },
  }
}
