/** USD per million tokens of input and output. The built-in ones are list prices of late 2025; the user's own come first. */
export interface Price {
  model: string
  inputPerMTok: number
  outputPerMTok: number
}

/**
 * The longest prefix of a model id wins. Opus 4 and Sonnet 4 are named with the beginning of their dates: `claude-opus-4`
 * would also be the prefix of every later 4.x, whose price is not this one.
 */
export const PRICES: readonly Price[] = [
  { model: 'claude-opus-4-5', inputPerMTok: 5, outputPerMTok: 25 },
  { model: 'claude-sonnet-4-5', inputPerMTok: 3, outputPerMTok: 15 },
  { model: 'claude-haiku-4-5', inputPerMTok: 1, outputPerMTok: 5 },
  { model: 'claude-opus-4-1', inputPerMTok: 15, outputPerMTok: 75 },
  { model: 'claude-opus-4-0', inputPerMTok: 15, outputPerMTok: 75 },
  { model: 'claude-opus-4-2025', inputPerMTok: 15, outputPerMTok: 75 },
  { model: 'claude-sonnet-4-0', inputPerMTok: 3, outputPerMTok: 15 },
  { model: 'claude-sonnet-4-2025', inputPerMTok: 3, outputPerMTok: 15 },
]

/** Writing to the prompt cache and reading from it, as multiples of the input price. */
const CACHE_WRITE = 1.25
const CACHE_READ = 0.1

export interface Usage {
  input: number | null
  output: number | null
  cacheRead: number | null
  cacheWrite: number | null
}

/** The price of a model: the user's own list first, then the built-in one; null when neither names it. */
export function priceOf(model: string, own: readonly Price[]): Price | null {
  return longestPrefix(model, own) ?? longestPrefix(model, PRICES)
}

function longestPrefix(model: string, list: readonly Price[]): Price | null {
  let best: Price | null = null
  for (const price of list) {
    if (model.startsWith(price.model) && price.model.length > (best?.model.length ?? -1)) best = price
  }
  return best
}

/**
 * Cost in USD of usage summed per model; null when a model has no price, or when a count that the price needs is
 * unknown: part of a bill is not a bill.
 */
export function costOf(byModel: Record<string, Usage>, own: readonly Price[]): number | null {
  const used = Object.entries(byModel).filter(([, usage]) => Object.values(usage).some((count) => count !== 0))
  if (used.length === 0) return null
  let total = 0
  for (const [model, usage] of used) {
    const price = priceOf(model, own)
    if (!price || usage.input === null || usage.output === null) return null
    const input = usage.input + (usage.cacheWrite ?? 0) * CACHE_WRITE + (usage.cacheRead ?? 0) * CACHE_READ
    total += (input * price.inputPerMTok + usage.output * price.outputPerMTok) / 1_000_000
  }
  return total
}

export const unpriced = (models: Iterable<string>, own: readonly Price[]): string[] =>
  [...models].filter((model) => priceOf(model, own) === null).toSorted()
