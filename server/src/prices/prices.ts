import type { AppliedPrice, Price } from '#contracts/entities/price.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import { canonicalName, claudeModel, isFastName } from './model-names.ts'
import list from './price-list.json' with { type: 'json' } // written by scripts/fetch-prices.mjs

/** Multiples of the input price, where a list or the user has no cache price. */
const CACHE_WRITE = 1.25
const CACHE_WRITE_1H = 2
const CACHE_READ = 0.1
/** USD; Anthropic's price, whatever the model. */
const WEB_SEARCH = 0.01
/** What the fast mode of a model costs, as a multiple of its prices; other models have none that is known. */
function fastMultiple(model: string): number | null {
  const claude = claudeModel(model)
  if (claude?.family !== 'opus') return null
  if (claude.version === '4.6') return 6
  return Number(claude.version.split('.')[0]) > 4 || claude.version === '4.8' || claude.version === '4.9' ? 2 : null
}

export interface TokenCounts {
  input: number | null
  output: number | null
  cacheRead: number | null
  /** All writes to the cache. */
  cacheWrite: number | null
}

/** What a response is billed for; what is left out is none. */
export interface Usage extends TokenCounts {
  /** The part of `cacheWrite` that is kept for an hour. */
  cacheWrite1h?: number
  webSearches?: number
  /** Answered in fast mode, which has prices of its own. */
  isFast?: boolean
}

/** Usage of one model added up; that of its fast mode is also in `fast`. */
export interface ModelUsage extends Omit<Usage, 'isFast'> {
  fast?: TokenCounts & Pick<Usage, 'cacheWrite1h'>
}

/** The user's prices as the settings keep them. */
export type OwnPrice = Settings['prices'][number]
type ListPrice = OwnPrice & { cacheWrite1hPerMTok?: number }

/** By name; of a model that several providers offer, the price of the first, who makes it. */
const LISTED = new Map<string, ListPrice>()
for (const { names, ...price } of list.prices as (ListPrice & { names: string[] })[])
  for (const name of [price.model, ...names].map(canonicalName)) if (!LISTED.has(name)) LISTED.set(name, price)

/** The price of a model: the user's list by prefix, then the built-in one by name. Null for a model that neither has. */
export function priceOf(model: string, userPrices: readonly OwnPrice[]): AppliedPrice | null {
  const own = longestPrefix(model, userPrices)
  if (own) return { ...withCachePrices({ cacheWrite1hPerMTok: own.cacheWritePerMTok, ...own }), from: 'own', asOf: null }
  const listed = LISTED.get(canonicalName(model))
  return listed ? { ...withCachePrices(listed), from: 'listed', asOf: list.asOf } : null
}

/** The newest listed model of the same family, whose price the user can take for a model without one. */
export function similarPrice(model: string): Price | null {
  const family = claudeModel(model)?.family ?? familyOf(canonicalName(model))
  if (family === '') return null
  const candidates = [...new Set(LISTED.values())].filter((price) => (claudeModel(price.model)?.family ?? familyOf(price.model)) === family)
  const newest = candidates.toSorted((a, b) => versionOf(a.model) - versionOf(b.model)).at(-1)
  return newest ? withCachePrices(newest) : null
}

/** `gpt`, `gpt-mini`, `gemini-pro`: the words of a name without its numbers. */
const familyOf = (name: string): string =>
  name
    .split(/[-.]/)
    .filter((word) => !/\d/.test(word) && word !== 'preview')
    .join('-')

function versionOf(name: string): number {
  const [major = 0, minor = 0] = (
    claudeModel(name)?.version.split('.') ??
    /\d+(?:[.-]\d{1,2}(?!\d))?/.exec(name)?.[0].split(/[.-]/) ??
    []
  ).map(Number)
  return major * 100 + minor
}

/** Where a provider has no price for a part, that part costs what other input does. */
function withCachePrices({
  model,
  ...price
}: { [Field in keyof ListPrice]: ListPrice[Field] | undefined } & Pick<ListPrice, 'model' | 'inputPerMTok' | 'outputPerMTok'>): Price {
  const { inputPerMTok, outputPerMTok } = price
  const isOther = LISTED_BY_OTHERS.test(model)
  return {
    model,
    inputPerMTok,
    outputPerMTok,
    cacheReadPerMTok: price.cacheReadPerMTok ?? inputPerMTok * (isOther ? 1 : CACHE_READ),
    cacheWritePerMTok: price.cacheWritePerMTok ?? inputPerMTok * (isOther ? 1 : CACHE_WRITE),
    cacheWrite1hPerMTok: price.cacheWrite1hPerMTok ?? inputPerMTok * (isOther ? 1 : CACHE_WRITE_1H),
  }
}
const LISTED_BY_OTHERS = /^(?:gpt|o\d|codex|gemini|chatgpt)/

export const listPrices = (): { asOf: string; source: string; items: Price[] } => ({
  asOf: list.asOf,
  source: list.source,
  items: [...new Set(LISTED.values())].map(withCachePrices).toSorted((a, b) => (a.model < b.model ? -1 : 1)),
})

function longestPrefix(model: string, prices: readonly OwnPrice[]): OwnPrice | null {
  let best: OwnPrice | null = null
  for (const price of prices) if (model.startsWith(price.model) && price.model.length > (best?.model.length ?? -1)) best = price
  return best
}

/**
 * Cost in USD of usage summed per model; null when a model has no price, or when a count that the price needs is
 * unknown, because a partial cost would be misleading.
 */
export function costOf(byModel: Record<string, ModelUsage>, userPrices: readonly OwnPrice[]): number | null {
  const usedModels = Object.entries(byModel).filter(([, usage]) => isBilled(usage))
  if (usedModels.length === 0) return null
  let total = 0
  for (const [model, usage] of usedModels) {
    const price = priceOf(model, userPrices)
    const cost = price && usageCost(price, model, usage)
    if (cost === null) return null
    total += cost
  }
  return total
}

/** Cost in USD of one response; null if it is unknown. */
export function responseCost(model: string | null, { isFast, ...usage }: Usage, price: AppliedPrice | null): number | null {
  return model === null || price === null ? null : usageCost(price, model, isFast ? { ...usage, fast: usage } : usage)
}

const isBilled = ({ input, output, cacheRead, cacheWrite, webSearches = 0 }: ModelUsage): boolean =>
  [input, output, cacheRead, cacheWrite, webSearches].some((count) => count !== 0)

function usageCost(price: Price, model: string, usage: ModelUsage): number | null {
  const tokens = tokenCost(price, usage)
  const fast = usage.fast && tokenCost(price, usage.fast)
  const multiple = fast || isFastName(model) ? fastMultiple(model) : 1
  if (tokens === null || fast === null || multiple === null) return null
  const fastTokens = isFastName(model) ? tokens : (fast ?? 0)
  return tokens + fastTokens * (multiple - 1) + (usage.webSearches ?? 0) * WEB_SEARCH
}

function tokenCost(price: Price, { input, output, cacheRead, cacheWrite, cacheWrite1h = 0 }: Usage): number | null {
  if (input === null || output === null) return null
  const cost =
    input * price.inputPerMTok +
    output * price.outputPerMTok +
    (cacheRead ?? 0) * price.cacheReadPerMTok +
    ((cacheWrite ?? 0) - cacheWrite1h) * price.cacheWritePerMTok +
    cacheWrite1h * price.cacheWrite1hPerMTok
  return cost / 1_000_000
}

export const modelsWithoutPrice = (models: Iterable<string>, userPrices: readonly OwnPrice[]): string[] =>
  [...models].filter((model) => priceOf(model, userPrices) === null).toSorted()
