// How scores and thresholds (0 to 1) are compared and formatted.

/** Tolerance of comparisons, because a weighted sum of decimals is rarely exact. */
export const SCORE_EPSILON = 1e-9

export const reaches = (value: number, bound: number): boolean => value >= bound - SCORE_EPSILON

const SCORE_DECIMALS = 2

/** The highest two-decimal figure that the value reaches, so that a value never looks like a threshold that it misses. */
export function formatScore(value: number): string {
  const scale = 10 ** SCORE_DECIMALS
  const nearest = Math.round(value * scale)
  return ((reaches(value, nearest / scale) ? nearest : nearest - 1) / scale).toFixed(SCORE_DECIMALS)
}

/** Whether a threshold has at most as many decimals as scores are shown with. */
export const isWritableBound = (bound: number): boolean => bound === Number(bound.toFixed(SCORE_DECIMALS))
