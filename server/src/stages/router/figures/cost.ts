import type { Usage } from '#server/adapters/llm/types.ts'
import { type OwnPrice, priceOf, responseCost } from '#server/prices/prices.ts'
import { createCache } from '../savings/cache.ts'

/** USD of one answer; null if the model has no price, or nothing was counted. `own`: listed prices, which are of providers, do not count. */
export function costOfAnswer(model: string | null, usage: Usage | null, prices: readonly OwnPrice[], only?: 'own'): number | null {
  if (model === null || usage === null) return null
  const price = priceOf(model, prices)
  if (only && price?.from !== only) return null
  const { input, output, cacheRead, cacheWrite, cacheWrite1h = 0 } = usage
  const fresh = Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0))
  return responseCost(model, { input: fresh, output, cacheRead, cacheWrite, cacheWrite1h }, price)
}

/** What an answer with these tokens would have cost at a model of a provider. `before`: the newest answer of the conversation. */
export function costAtTeacher(
  { model, usage, at, before }: { model: string; usage: Usage; at: number; before: { at: number; input: number } | null },
  prices: readonly OwnPrice[],
): number | null {
  const send = createCache('short')
  if (before) send({ at: before.at, model, context: before.input })
  const { read: cacheRead, write: cacheWrite } = send({ at, model, context: usage.input })
  return costOfAnswer(model, { ...usage, cacheRead, cacheWrite, cacheWrite1h: 0 }, prices)
}
