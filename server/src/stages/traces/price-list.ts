/** USD per million tokens of input and output. */
export interface ListPrice {
  model: string
  inputPerMTok: number
  outputPerMTok: number
}

/** The month of the built-in prices, as `YYYY-MM`. */
export const LIST_PRICES_AS_OF = '2025-11'

/**
 * The provider's list prices. The longest prefix of a model id wins. Opus 4 and Sonnet 4 include the start of their
 * dates, because `claude-opus-4` is also a prefix of later 4.x models with another price.
 */
export const LIST_PRICES: readonly ListPrice[] = [
  { model: 'claude-opus-4-5', inputPerMTok: 5, outputPerMTok: 25 },
  { model: 'claude-sonnet-4-5', inputPerMTok: 3, outputPerMTok: 15 },
  { model: 'claude-haiku-4-5', inputPerMTok: 1, outputPerMTok: 5 },
  { model: 'claude-opus-4-1', inputPerMTok: 15, outputPerMTok: 75 },
  { model: 'claude-opus-4-0', inputPerMTok: 15, outputPerMTok: 75 },
  { model: 'claude-opus-4-2025', inputPerMTok: 15, outputPerMTok: 75 },
  { model: 'claude-sonnet-4-0', inputPerMTok: 3, outputPerMTok: 15 },
  { model: 'claude-sonnet-4-2025', inputPerMTok: 3, outputPerMTok: 15 },
  { model: 'claude-3-7-sonnet', inputPerMTok: 3, outputPerMTok: 15 },
  { model: 'claude-3-5-sonnet', inputPerMTok: 3, outputPerMTok: 15 },
  { model: 'claude-3-5-haiku', inputPerMTok: 0.8, outputPerMTok: 4 },
  { model: 'claude-3-opus', inputPerMTok: 15, outputPerMTok: 75 },
  { model: 'claude-3-haiku', inputPerMTok: 0.25, outputPerMTok: 1.25 },
]

/** A later model of a family is priced as the newest listed one, and the page says so: its own price may differ. */
export const FAMILIES: readonly { family: string; pricedAs: string }[] = [
  { family: 'opus', pricedAs: 'claude-opus-4-5' },
  { family: 'sonnet', pricedAs: 'claude-sonnet-4-5' },
  { family: 'haiku', pricedAs: 'claude-haiku-4-5' },
]
