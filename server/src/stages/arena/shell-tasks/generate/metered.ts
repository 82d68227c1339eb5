import type { Budget } from '#contracts/entities/augment.ts'
import {
  type Charge,
  type ChatRequest,
  type Completion,
  costOf,
  type Price,
  ProviderError,
  type Tokens,
  withRetries,
} from '#server/adapters/llm/index.ts'
import type { OpenModel } from '../../agents/models.ts'

/** What is left of the budget does not cover a request. */
export class Unpaid extends Error {}

/** Characters that make a token at the least: the bound of a request must hold. */
const CHARACTERS_A_TOKEN = 2
const ROLE_TOKENS = 20

/** One budget for models of different prices. */
export interface Wallet {
  readonly spent: Charge
  /** False if it does not fit into what is left. */
  take(charge: Charge): boolean
  give(charge: Charge): void
}

/** `changed`: what was spent, with what is reserved, is another sum. */
export function createWallet(budget: Budget, before: Charge, changed: (spent: Charge) => void): Wallet {
  const spent = { ...before }
  const add = ({ usd, tokens }: Charge, sign: 1 | -1) => {
    spent.usd += sign * usd
    spent.tokens += sign * tokens
    changed(spent)
  }
  return {
    spent,
    take(charge) {
      if (spent.usd + charge.usd > (budget.usd ?? Infinity) || spent.tokens + charge.tokens > (budget.tokens ?? Infinity)) return false
      add(charge, 1)
      return true
    },
    give: (charge) => add(charge, -1),
  }
}

/** Asks a model within a budget: the most that a request can cost is taken, and stored, before it is sent. */
export function metered(open: OpenModel, { wallet, price }: { wallet: Wallet; price: Price | null }) {
  const chargeOf = (tokens: Tokens): Charge => ({ usd: costOf(price, tokens) ?? 0, tokens: tokens.input + tokens.output })
  const once = async (request: ChatRequest, signal: AbortSignal): Promise<Completion> => {
    const most = chargeOf(boundOf(request))
    if (!wallet.take(most)) throw new Unpaid()
    try {
      const answer = await open.ask(request, signal)
      const { input, output } = answer.usage
      const used = chargeOf({ input, output })
      wallet.give({ usd: most.usd - used.usd, tokens: most.tokens - used.tokens })
      return answer
    } catch (error) {
      if (error instanceof ProviderError && !error.mayCost) wallet.give(most) // what broke off may have been charged
      throw error
    }
  }
  return (request: ChatRequest, signal: AbortSignal): Promise<Completion> => withRetries(() => once(request, signal), { signal })
}

export function boundOf({ system = '', messages, maxTokens }: ChatRequest): Tokens {
  const characters = messages.reduce((sum, message) => sum + ('content' in message ? message.content.length : 0), system.length)
  return { input: Math.ceil(characters / CHARACTERS_A_TOKEN) + ROLE_TOKENS * (messages.length + 1), output: maxTokens }
}
