import type { Tokens } from '#contracts/entities/common.ts'

/** The sum of all four kinds. Unknown kinds are excluded and reported as missing, never counted as 0. */
export function tokenSum(tokens: Tokens): { sum: number | null; complete: boolean } {
  const known = [tokens.input, tokens.output, tokens.cacheRead, tokens.cacheWrite].filter((value) => value !== null)
  if (known.length === 0) return { sum: null, complete: false }
  return { sum: known.reduce((sum, value) => sum + value, 0), complete: known.length === 4 }
}
