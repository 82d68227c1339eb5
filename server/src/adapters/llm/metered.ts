import type { TokenPrice } from '#server/prices/request-cost.ts'
import { ProviderError } from './error.ts'
import { createInputTokens, textPart } from './input-tokens.ts'
import type { Ledger } from './ledger.ts'
import type { ChatRequest, Completion } from './types.ts'

interface Model {
  ask(request: ChatRequest, signal: AbortSignal): Promise<Completion>
}

/**
 * Makes one attempt within a budget: the most that a request can cost is reserved and stored before it is sent. Throws `CapReached`.
 * `isWhole`: an answer that the budget would cut short is not requested.
 */
export function metered(
  model: Model,
  { ledger, price, isWhole = false }: { ledger: Ledger; price: TokenPrice | null; isWhole?: boolean },
): (request: ChatRequest, signal: AbortSignal) => Promise<Completion> {
  const inputTokens = createInputTokens()
  return async (request, signal) => {
    const { system = '', tools = [], messages, maxTokens } = request
    const parts = [system, JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))].map(textPart)
    const reserved = await ledger.reserve({ input: inputTokens.most(parts), output: maxTokens, isWhole, price }, signal)
    try {
      const answer = await model.ask({ ...request, maxTokens: reserved.output ?? maxTokens }, signal)
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
