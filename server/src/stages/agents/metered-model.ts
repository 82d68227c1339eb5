import { type ChatRequest, type Completion, createInputTokens, type Ledger, ProviderError, textPart } from '#server/adapters/llm/index.ts'
import type { TokenPrice } from '#server/prices/request-cost.ts'
import type { OpenModel } from './models.ts'

/**
 * Makes one attempt within a budget: the most that a request can cost is reserved and stored before it is sent. Throws `CapReached`.
 * `isWhole`: an answer that the budget would cut short is not requested.
 */
export function createMeteredModel(
  open: Pick<OpenModel, 'ask'>,
  { ledger, price, isWhole = false }: { ledger: Ledger; price: TokenPrice | null; isWhole?: boolean },
): OpenModel['ask'] {
  const inputTokens = createInputTokens()
  return async (request: ChatRequest, signal: AbortSignal): Promise<Completion> => {
    const { system = '', tools = [], messages, maxTokens } = request
    const parts = [system, JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))].map(textPart)
    const reserved = await ledger.reserve({ input: inputTokens.most(parts), output: maxTokens, isWhole, price }, signal)
    try {
      const answer = await open.ask({ ...request, maxTokens: reserved.output ?? maxTokens }, signal)
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
