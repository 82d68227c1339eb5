export interface Tokens {
  input: number
  output: number
}
/** The part of `input` that was read from a cache or written to one. */
interface CachedTokens {
  cacheRead?: number | null
  cacheWrite?: number | null
}
/** USD per million tokens. Cached input without a separate price costs as much as other input. */
export interface TokenPrice {
  inputPerMTok: number
  outputPerMTok: number
  cacheReadPerMTok?: number
  cacheWritePerMTok?: number
}

/** USD of one request to a provider; null if no price is known. */
export function requestCost(price: TokenPrice | null, { input, output, cacheRead, cacheWrite }: Tokens & CachedTokens): number | null {
  if (!price) return null
  const { inputPerMTok, outputPerMTok, cacheReadPerMTok = inputPerMTok, cacheWritePerMTok = inputPerMTok } = price
  const read = cacheRead ?? 0
  const written = cacheWrite ?? 0
  const uncached = Math.max(0, input - read - written) // some servers do not count cached tokens as input
  const usd = uncached * inputPerMTok + read * cacheReadPerMTok + written * cacheWritePerMTok + output * outputPerMTok
  return usd / 1_000_000
}
