import type { Budget } from '#contracts/entities/augment.ts'
import { requestCost, type TokenPrice, type Tokens } from '#server/prices/request-cost.ts'

export interface Charge {
  usd: number
  tokens: number
}
/** Enforces a cap: reserves the maximum cost of a request before it is sent, and settles when it is answered. */
export interface Purse {
  readonly spent: Charge
  /** Null if the request would exceed the cap. */
  reserve(maximum: Tokens): Charge | null
  /** Replaces a reservation with the tokens used; returns the charge. */
  settle(reserved: Charge, used: Tokens): Charge
  /** Cancels a reservation, because nothing was charged. */
  release(reserved: Charge): void
  /** Whether the provider charged more than the reserved maximum, so that the cap is exceeded. */
  readonly overdrawn: boolean
}

const NOTHING: Charge = { usd: 0, tokens: 0 }

/** `before`: the charges of this run so far. */
export function createPurse(budget: Budget, price: TokenPrice | null, before: Charge = NOTHING): Purse {
  const spent = { ...before }
  const limits = { usd: budget.usd ?? Infinity, tokens: budget.tokens ?? Infinity }
  // Ignores cache prices, because they are guessed for some providers, and a cap must not be exceeded.
  const chargeOf = ({ input, output }: Tokens): Charge => ({ usd: requestCost(price, { input, output }) ?? 0, tokens: input + output })
  const add = ({ usd, tokens }: Charge, sign: 1 | -1) => {
    spent.usd += sign * usd
    spent.tokens += sign * tokens
  }
  return {
    spent,
    reserve(tokens) {
      const charge = chargeOf(tokens)
      if (spent.usd + charge.usd > limits.usd || spent.tokens + charge.tokens > limits.tokens) return null
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
      return spent.usd > limits.usd + 1e-9 || spent.tokens > limits.tokens
    },
  }
}
