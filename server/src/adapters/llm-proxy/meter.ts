import { costOf } from '../llm/budget.ts'
import type { Usage } from '../llm/types.ts'
import { ProxyRefusal } from './refusal.ts'
import type { ProxyCaps, ProxyGrant, ProxyUsage } from './types.ts'

const usd = (amount: number) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`

/** Adds up the requests of a grant, and decides whether another may be sent. */
export function createMeter({ caps, model: meant, price }: Pick<ProxyGrant, 'caps' | 'model' | 'price'>) {
  const most = cleaned(caps)
  if (most.costUsd !== undefined && price(meant) === null)
    throw new Error(
      `The cap of ${usd(most.costUsd)} cannot be kept: the price of ${meant ?? 'the model'} is unknown. Enter its price in Settings, or cap tokens instead.`,
    )
  const used: ProxyUsage = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0, unmeasured: 0 }
  const reached = (): string | null => {
    const { requests, outputTokens, totalTokens, costUsd } = most
    if (requests !== undefined && used.requests >= requests) return `its cap of ${requests} requests`
    if (outputTokens !== undefined && used.output >= outputTokens) return `its cap of ${outputTokens} output tokens`
    if (totalTokens !== undefined && used.input + used.output >= totalTokens) return `its cap of ${totalTokens} tokens`
    if (costUsd !== undefined && used.costUsd !== null && used.costUsd >= costUsd) return `its cap of ${usd(costUsd)}`
    return null
  }
  return {
    usage: (): ProxyUsage => ({ ...used }),
    /** Before a request for an answer goes out. Throws a refusal that names the cap. */
    begin(model: string | null): void {
      const cap = reached()
      if (cap !== null) throw new ProxyRefusal(403, `This run has reached ${cap}. Bash Gym sends no more of its requests.`)
      if (most.costUsd !== undefined && price(model) === null)
        throw new ProxyRefusal(403, `The price of ${model ?? 'the model'} is unknown, so the cap of ${usd(most.costUsd)} cannot be kept.`)
      if (used.unmeasured > 0 && (most.costUsd ?? most.totalTokens ?? most.outputTokens) !== undefined)
        throw new ProxyRefusal(403, 'The endpoint does not say how many tokens an answer took, so the cap of this run cannot be kept.')
      used.requests += 1
    },
    /** The endpoint did not begin to answer, so the request does not count. */
    unanswered: () => void (used.requests -= 1),
    /** After its end. `isWhole`: the answer is complete. Returns the cost. */
    end(model: string | null, usage: Usage | null, isWhole: boolean): number | null {
      if (usage === null) {
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

/** Without the caps that are null. */
const cleaned = (caps: ProxyCaps) =>
  Object.fromEntries(Object.entries(caps).filter(([, value]) => value !== null && value !== undefined)) as Partial<
    Record<keyof ProxyCaps, number>
  >
