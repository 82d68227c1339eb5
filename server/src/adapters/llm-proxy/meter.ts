import { requestCost } from '#server/prices/request-cost.ts'
import { createInputTokens, type RequestPart } from '../llm/input-tokens.ts'
import { CapReached, type Reservation } from '../llm/ledger.ts'
import type { Usage } from '../llm/types.ts'
import { ProxyRefusal } from './refusal.ts'
import type { ProxyGrant, ProxyUsage } from './types.ts'

export interface Asked {
  model: string | null
  parts: readonly RequestPart[]
  /** The limit of an answer if the client gave one, and the one that is used otherwise. */
  output: number | null
  defaultOutput: number
  answers: number
}

/** A request that was sent. Exactly one of the functions must be called at its end. */
export interface Metered {
  /** The most tokens that each answer may have; null if no cap limits them. */
  readonly output: number | null
  /** The endpoint refused the request: it costs nothing. */
  refused(): void
  /** `isWhole`: the connection ended with the answer. `isFinal`: `usage` is the count at its end. Returns the cost; null if it is unknown. */
  answered(end: { usage: Usage | null; isFinal: boolean; isWhole: boolean }): number | null
}

export interface Meter {
  usage(): ProxyUsage
  /** Whether an answer must be read to its end although its client has gone, because its tokens count towards a cap. */
  readonly needsTokens: boolean
  /** Reserves what a request may cost, before it is sent. Throws a refusal if a cap is reached, or the reason of `signal`. */
  begin(asked: Asked, signal: AbortSignal): Promise<Metered>
}

/** Adds up what was used, for the user, and reserves what may be used, for the caps. */
export function createMeter({ ledger, price }: Pick<ProxyGrant, 'ledger' | 'price'>): Meter {
  const used: ProxyUsage = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0, unmeasured: 0 }
  const inputTokens = createInputTokens()
  /** `used.costUsd` is the sum of the known costs until then. */
  let isCostKnown = true

  const count = (usage: Usage, cost: number | null): void => {
    used.input += usage.input
    used.output += usage.output
    used.cacheRead += usage.cacheRead ?? 0
    used.cacheWrite += usage.cacheWrite ?? 0
    used.costUsd = cost === null || used.costUsd === null ? null : used.costUsd + cost
  }
  const reserve = async ({ model, parts, output, defaultOutput, answers }: Asked, signal: AbortSignal): Promise<Reservation> => {
    try {
      ledger.requirePrice(price(model), model)
      if (used.unmeasured > 0 && ledger.needsTokens)
        throw new ProxyRefusal(403, 'The endpoint does not report the tokens of its answers, so the cap of this run cannot be enforced.')
      const asked = output ?? (ledger.needsTokens ? defaultOutput : null)
      return await ledger.reserve({ input: inputTokens.most(parts), output: asked, answers, price: price(model) }, signal)
    } catch (error) {
      throw error instanceof CapReached ? new ProxyRefusal(403, error.message) : error
    }
  }

  return {
    usage: () => ({ ...used, costUsd: isCostKnown ? used.costUsd : null }),
    needsTokens: ledger.needsTokens,
    async begin(asked, signal) {
      const reservation = await reserve(asked, signal)
      used.requests += 1
      return {
        output: reservation.output,
        refused() {
          used.requests -= 1
          reservation.release()
        },
        answered({ usage, isFinal, isWhole }) {
          const isComplete = isWhole && isFinal && usage !== null
          reservation.settle(isComplete ? usage : null)
          if (isComplete) inputTokens.measured(asked.parts, usage.input)
          else isCostKnown = false
          if (isWhole && usage === null) used.unmeasured += 1
          const cost = usage && requestCost(price(asked.model), usage)
          if (usage) count(usage, cost)
          return isComplete ? cost : null
        },
      }
    },
  }
}
