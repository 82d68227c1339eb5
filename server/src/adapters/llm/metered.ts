import type { TokenPrice } from '#server/prices/request-cost.ts'
import { ProviderError } from './error.ts'
import { createInputTokens, textPart } from './input-tokens.ts'
import { CapReached, type Ledger, usdText } from './ledger.ts'
import type { ChatRequest, Completion } from './types.ts'

type Ask = (request: ChatRequest, signal: AbortSignal) => Promise<Completion>

/**
 * Makes one attempt within a budget: the most that a request can cost is reserved and stored before it is sent. An answer always
 * has its whole limit: where the budget leaves less, it throws `CapReached`.
 */
export function metered(ask: Ask, { ledger, price }: { ledger: Ledger; price: TokenPrice | null }): Ask {
  const inputTokens = createInputTokens()
  return async (request, signal) => {
    const { system = '', tools = [], messages, maxTokens, format } = request
    const parts = [
      system,
      JSON.stringify(tools),
      format ? JSON.stringify(format) : '',
      ...messages.map((message) => JSON.stringify(message)),
    ].map(textPart)
    const reserved = await ledger.reserve({ input: inputTokens.most(parts), output: maxTokens, price }, signal)
    if (reserved.output !== null && reserved.output < maxTokens) {
      reserved.release()
      throw new CapReached('cost', `The rest of the budget does not pay for one more answer (${usdText(ledger.charged.usd)} are spent).`)
    }
    try {
      const answer = await ask(request, signal)
      inputTokens.measured(parts, answer.usage.input)
      reserved.settle(answer.usage)
      return answer
    } catch (error) {
      if (error instanceof ProviderError && !error.mayCost) reserved.release()
      else reserved.settle(null) // an interrupted request may have been charged
      throw error
    }
  }
}
