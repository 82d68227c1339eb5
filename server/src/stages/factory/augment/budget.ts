import type { Budget } from '#contracts/entities/augment.ts'

export interface Charge {
  usd: number
  tokens: number
}
export interface Tokens {
  input: number
  output: number
}
interface Price {
  inputPerMTok: number
  outputPerMTok: number
}

/** A cap that is kept by reserving the most that a request can cost before it is sent, and settling when it is answered. */
export interface Purse {
  readonly spent: Charge
  /** Null when it does not fit into what is left. */
  reserve(most: Tokens): Charge | null
  /** In place of what was reserved; returns what is charged. */
  settle(reserved: Charge, used: Tokens): Charge
  /** Nothing was charged for it. */
  release(reserved: Charge): void
  /** True when a provider charged more than can have been asked for. */
  readonly overdrawn: boolean
}

const NOTHING: Charge = { usd: 0, tokens: 0 }

export const costOf = (price: Price | null, { input, output }: Tokens): number =>
  price ? (input * price.inputPerMTok + output * price.outputPerMTok) / 1_000_000 : 0

/** `before`: what this run has spent so far, with what it may have. */
export function createPurse(budget: Budget, price: Price | null, before: Charge = NOTHING): Purse {
  const spent = { ...before }
  const most = { usd: budget.usd ?? Infinity, tokens: budget.tokens ?? Infinity }
  const chargeOf = (tokens: Tokens): Charge => ({ usd: costOf(price, tokens), tokens: tokens.input + tokens.output })
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
