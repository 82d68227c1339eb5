import type { AppliedPrice, Price } from '#contracts/entities/price.ts'
import { FAMILIES, LIST_PRICES, LIST_PRICES_AS_OF } from './price-list.ts'
import type { ListPrice } from './price-list.ts'

/** Multiples of the input price, if the user set no cache price. */
const CACHE_WRITE = 1.25
const CACHE_READ = 0.1

export interface TokenCounts {
  input: number | null
  output: number | null
  cacheRead: number | null
  cacheWrite: number | null
}

/** The user's prices as the settings keep them. */
export type OwnPrice = ListPrice & Partial<Pick<Price, 'cacheReadPerMTok' | 'cacheWritePerMTok'>>

/**
 * The price of a model: the user's list first, then the built-in one by prefix, then a later model of a known family
 * (`claude-opus-5` as the newest listed Opus); null if none matches. Ids of other clouds work too:
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `anthropic/claude-sonnet-4.5`, `claude-sonnet-4-5@20250929`.
 */
export function priceOf(model: string, userPrices: readonly OwnPrice[]): AppliedPrice | null {
  const userPrice = longestPrefix(model, userPrices)
  if (userPrice) return appliedPrice(userPrice, 'own')
  const id = canonical(model)
  const listPrice = longestPrefix(id, LIST_PRICES, isWholeVersion)
  if (listPrice) return appliedPrice(listPrice, 'listed')
  const version = /^claude-(opus|sonnet|haiku)-(\d+)(?:-(\d{1,2}))?(?:-|$)/.exec(id)
  if (!version || Number(version[2]) < 4) return null
  const { pricedAs } = FAMILIES.find(({ family }) => family === version[1])!
  const base = LIST_PRICES.find((price) => price.model === pricedAs)!
  const [major, minor] = versionOf(pricedAs)
  const isLater = Number(version[2]) > major || (Number(version[2]) === major && Number(version[3] ?? 0) > minor)
  return isLater ? appliedPrice(base, 'family') : null
}

function versionOf(listed: string): [number, number] {
  const [major, minor] = listed.split('-').slice(2).map(Number)
  return [major!, minor!]
}

function canonical(model: string): string {
  const at = model.indexOf('claude-')
  return at === -1 ? model : model.slice(at).replaceAll('.', '-')
}

const appliedPrice = (price: OwnPrice, from: AppliedPrice['from']): AppliedPrice => ({
  ...withCachePrices(price),
  from,
  asOf: from === 'own' ? null : LIST_PRICES_AS_OF,
})

const withCachePrices = (price: OwnPrice): Price => ({
  model: price.model,
  inputPerMTok: price.inputPerMTok,
  outputPerMTok: price.outputPerMTok,
  cacheReadPerMTok: price.cacheReadPerMTok ?? price.inputPerMTok * CACHE_READ,
  cacheWritePerMTok: price.cacheWritePerMTok ?? price.inputPerMTok * CACHE_WRITE,
})

export const listPrices = (): { asOf: string; items: Price[] } => ({ asOf: LIST_PRICES_AS_OF, items: LIST_PRICES.map(withCachePrices) })

/** `claude-opus-4-1` is not a prefix of `claude-opus-4-10`. */
const isWholeVersion = (model: string, prefix: string) => !/-\d{1,2}$/.test(prefix) || !/^\d/.test(model.slice(prefix.length))

function longestPrefix<P extends ListPrice>(
  model: string,
  list: readonly P[],
  fits: (model: string, prefix: string) => boolean = () => true,
): P | null {
  let best: P | null = null
  for (const price of list) {
    if (model.startsWith(price.model) && fits(model, price.model) && price.model.length > (best?.model.length ?? -1)) best = price
  }
  return best
}

/**
 * Cost in USD of usage summed per model; null when a model has no price, or when a count that the price needs is
 * unknown, because a partial cost would be misleading.
 */
export function costOf(byModel: Record<string, TokenCounts>, userPrices: readonly OwnPrice[]): number | null {
  const usedModels = Object.entries(byModel).filter(([, usage]) => Object.values(usage).some((count) => count !== 0))
  if (usedModels.length === 0) return null
  let total = 0
  for (const [model, usage] of usedModels) {
    const price = priceOf(model, userPrices)
    if (!price || usage.input === null || usage.output === null) return null
    total +=
      (usage.input * price.inputPerMTok +
        usage.output * price.outputPerMTok +
        (usage.cacheRead ?? 0) * price.cacheReadPerMTok +
        (usage.cacheWrite ?? 0) * price.cacheWritePerMTok) /
      1_000_000
  }
  return total
}

export const modelsWithoutPrice = (models: Iterable<string>, userPrices: readonly OwnPrice[]): string[] =>
  [...models].filter((model) => priceOf(model, userPrices) === null).toSorted()
