const Z_TWO_SIDED_95 = 1.959964
const Z_ONE_SIDED_95 = 1.6448536
const Z_POWER_80 = 0.8416212

/** Items needed to see `delta` between two models on the same yes-or-no items, of which a share `psi` ends differently. */
export const itemsForPairedRates = (psi: number, delta: number): number =>
  Math.ceil(((Z_TWO_SIDED_95 * Math.sqrt(psi) + Z_POWER_80 * Math.sqrt(psi - delta ** 2)) / delta) ** 2)

/** Items needed to see `delta` in differences whose standard deviation is `sd`. */
export const itemsForMeans = (sd: number, delta: number): number => Math.ceil((((Z_TWO_SIDED_95 + Z_POWER_80) * sd) / delta) ** 2)

/** Items on each side to see the difference of two rates that are measured on different items. */
export const itemsForRates = (p1: number, p2: number): number =>
  Math.ceil(((Z_TWO_SIDED_95 + Z_POWER_80) ** 2 * (p1 * (1 - p1) + p2 * (1 - p2))) / (p1 - p2) ** 2)

/** Items needed to show that an equal candidate is not worse by `margin`. */
export const itemsForNonInferiority = (psi: number, margin: number): number =>
  Math.ceil(((Z_ONE_SIDED_95 + Z_POWER_80) ** 2 * psi) / margin ** 2)

/** What `n` values in groups of `m` count as, when values of a group correlate by `icc`. */
export const effectiveItems = (n: number, m: number, icc: number): number => n / (1 + (m - 1) * icc)

/** The smallest difference that `n` items can show, in differences whose standard deviation is `sd`. */
export const smallestMean = (sd: number, n: number): number => ((Z_TWO_SIDED_95 + Z_POWER_80) * sd) / Math.sqrt(n)

/** The same for yes-or-no items; null if even the whole share `psi` would not be enough. */
export function smallestPairedRate(psi: number, n: number): number | null {
  const needed = (delta: number) => ((Z_TWO_SIDED_95 * Math.sqrt(psi) + Z_POWER_80 * Math.sqrt(Math.max(0, psi - delta ** 2))) / delta) ** 2
  const most = Math.min(psi, Math.sqrt(psi))
  if (needed(most) > n) return null
  let [low, high] = [0, most]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (needed(middle) > n) low = middle
    else high = middle
  }
  return high
}
