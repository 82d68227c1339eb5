/** Scores and their bounds, 0 to 1: how they are compared, and how they are written wherever a person reads one. */

/** Comparisons are exact to this: a weighted sum of decimals is rarely exactly its decimal. */
export const SCORE_EPSILON = 1e-9

export const reaches = (value: number, bound: number): boolean => value >= bound - SCORE_EPSILON

const SCORE_DECIMALS = 2

/** The highest two-decimal figure that the value reaches, so that no value reads as a bound that it does not reach. */
export function formatScore(value: number): string {
  const scale = 10 ** SCORE_DECIMALS
  const nearest = Math.round(value * scale)
  return ((reaches(value, nearest / scale) ? nearest : nearest - 1) / scale).toFixed(SCORE_DECIMALS)
}

/** Whether a bound has no more decimals than are shown; with more, a value that reaches it could be written as less. */
export const isWritableBound = (bound: number): boolean => bound === Number(bound.toFixed(SCORE_DECIMALS))
