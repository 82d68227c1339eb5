import type { Budget } from '#contracts/entities/augment.ts'
import { type Charge, type ChatRequest, type Completion, ProviderError, withRetries } from '#server/adapters/llm/index.ts'
import { requestCost, type TokenPrice, type Tokens } from '#server/prices/request-cost.ts'
import type { OpenModel } from '#server/stages/agents/index.ts'

/** The remaining budget does not cover a request. */
export class BudgetExhausted extends Error {}

/** A low estimate, so that requests never exceed the computed maximum. */
const CHARACTERS_A_TOKEN = 2
const ROLE_TOKENS = 20

/** One budget for models of different prices. */
export interface Wallet {
  readonly spent: Charge
  /** False if the remaining budget does not cover it. */
  take(charge: Charge): boolean
  give(charge: Charge): void
}

/** `changed` is called with what is spent and reserved, whenever that changes. */
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

/** Calls a model within a budget: the maximum cost of a request is reserved and stored before it is sent. */
export function createMeteredModel(open: OpenModel, { wallet, price }: { wallet: Wallet; price: TokenPrice | null }) {
  const chargeOf = (tokens: Tokens): Charge => ({ usd: requestCost(price, tokens) ?? 0, tokens: tokens.input + tokens.output })
  const askOnce = async (request: ChatRequest, signal: AbortSignal): Promise<Completion> => {
    const most = chargeOf(maxTokensOf(request))
    if (!wallet.take(most)) throw new BudgetExhausted()
    try {
      const answer = await open.ask(request, signal)
      const { input, output } = answer.usage
      const used = chargeOf({ input, output })
      wallet.give({ usd: most.usd - used.usd, tokens: most.tokens - used.tokens })
      return answer
    } catch (error) {
      if (error instanceof ProviderError && !error.mayCost) wallet.give(most) // an interrupted request may have been charged
      throw error
    }
  }
  return (request: ChatRequest, signal: AbortSignal): Promise<Completion> => withRetries(() => askOnce(request, signal), { signal })
}

export function maxTokensOf({ system = '', messages, maxTokens }: ChatRequest): Tokens {
  const characters = messages.reduce((sum, message) => sum + ('content' in message ? message.content.length : 0), system.length)
  return { input: Math.ceil(characters / CHARACTERS_A_TOKEN) + ROLE_TOKENS * (messages.length + 1), output: maxTokens }
}
