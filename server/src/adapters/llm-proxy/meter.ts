import { costOf } from '../llm/budget.ts'
import type { Usage } from '../llm/types.ts'
import { ProxyRefusal } from './refusal.ts'
import type { ProxyCaps, ProxyGrant, ProxyUsage } from './types.ts'

const usd = (amount: number) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`

/** Adds up the requests of a grant, and decides whether another may be sent. */
export function createMeter({ caps, model: plannedModel, price }: Pick<ProxyGrant, 'caps' | 'model' | 'price'>) {
  const limits = definedCaps(caps)
  if (limits.costUsd !== undefined && price(plannedModel) === null)
    throw new Error(
      `The cap of ${usd(limits.costUsd)} cannot be enforced: the price of ${plannedModel ?? 'the model'} is unknown. Enter its price in Settings, or cap tokens instead.`,
    )
  const used: ProxyUsage = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0, unmeasured: 0 }
  /** The measured part in `used` still counts towards the cap. */
  let isCostKnown = true
  const reachedCap = (): string | null => {
    const { requests, outputTokens, totalTokens, costUsd } = limits
    if (requests !== undefined && used.requests >= requests) return `its cap of ${requests} requests`
    if (outputTokens !== undefined && used.output >= outputTokens) return `its cap of ${outputTokens} output tokens`
    if (totalTokens !== undefined && used.input + used.output >= totalTokens) return `its cap of ${totalTokens} tokens`
    if (costUsd !== undefined && used.costUsd !== null && used.costUsd >= costUsd) return `its cap of ${usd(costUsd)}`
    return null
  }
  return {
    usage: (): ProxyUsage => ({ ...used, costUsd: isCostKnown ? used.costUsd : null }),
    /** Call before a request for an answer is sent. Throws a refusal if a cap is reached. */
    begin(model: string | null): void {
      const cap = reachedCap()
      if (cap !== null) throw new ProxyRefusal(403, `This run has reached ${cap}. Bash Gym sends no more of its requests.`)
      if (limits.costUsd !== undefined && price(model) === null)
        throw new ProxyRefusal(
          403,
          `The price of ${model ?? 'the model'} is unknown, so the cap of ${usd(limits.costUsd)} cannot be enforced.`,
        )
      if (used.unmeasured > 0 && (limits.costUsd ?? limits.totalTokens ?? limits.outputTokens) !== undefined)
        throw new ProxyRefusal(403, 'The endpoint does not report the tokens of its answers, so the cap of this run cannot be enforced.')
      used.requests += 1
    },
    /** Call if the endpoint did not answer: the request then does not count. */
    cancel: () => void (used.requests -= 1),
    /** Call at the end of an answer. `isWhole`: the answer is complete. Returns the cost. */
    end(model: string | null, usage: Usage | null, isWhole: boolean): number | null {
      if (usage === null) {
        isCostKnown = false
        if (isWhole) used.unmeasured += 1
        return null
      }
      used.input += usage.input
      used.output += usage.output
      used.cacheRead += usage.cacheRead ?? 0
      used.cacheWrite += usage.cacheWrite ?? 0
      const cost = costOf(price(model), usage)
      used.costUsd = cost === null || used.costUsd === null ? null : used.costUsd + cost
      return cost
    },
  }
}

export type Meter = ReturnType<typeof createMeter>

/** The caps that are not null. */
const definedCaps = (caps: ProxyCaps) =>
  Object.fromEntries(Object.entries(caps).filter(([, value]) => value !== null && value !== undefined)) as Partial<
    Record<keyof ProxyCaps, number>
  >
