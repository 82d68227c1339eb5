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
 * `isWhole: false` requests an answer although the budget may cut it short.
 */
export function metered(
  model: Model,
  { ledger, price, isWhole = true }: { ledger: Ledger; price: TokenPrice | null; isWhole?: boolean },
): Model['ask'] {
  const inputTokens = createInputTokens()
  return async (request, signal) => {
    const { system = '', tools = [], messages, maxTokens, format } = request
    const parts = [
      system,
      JSON.stringify(tools),
      format ? JSON.stringify(format) : '',
      ...messages.map((message) => JSON.stringify(message)),
    ].map(textPart)
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
