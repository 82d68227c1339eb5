import { sum } from './means.ts'

/** Null without values. */
export interface Resampled {
  mean: number | null
  /** 95 % interval by percentiles. */
  low: number | null
  high: number | null
}

/** The mean over all values, and its interval from drawing whole groups again. */
export function bootstrap(groups: readonly (readonly number[])[], seed: number, resamples: number): Resampled {
  const sums = groups.filter((group) => group.length > 0).map((group) => ({ sum: sum(group), n: group.length }))
  if (sums.length === 0) return { mean: null, low: null, high: null }
  const random = mulberry32(seed)
  const means = Float64Array.from({ length: resamples }, () => {
    let [total, n] = [0, 0]
    for (let draw = 0; draw < sums.length; draw++) {
      const drawn = sums[Math.floor(random() * sums.length)]!
      total += drawn.sum
      n += drawn.n
    }
    return total / n
  }).toSorted()
  return {
    mean: sum(sums.map((group) => group.sum)) / sum(sums.map((group) => group.n)),
    low: quantile(means, 0.025),
    high: quantile(means, 0.975),
  }
}

/** The 95 % interval of any figure of items, from drawing whole items again. Draws without a figure are left out; null without any. */
export function intervalOf<Item>(
  items: readonly Item[],
  figure: (drawn: readonly Item[]) => number | null,
  { seed, resamples }: { seed: number; resamples: number },
): { low: number | null; high: number | null } {
  const random = mulberry32(seed)
  const found = Array.from({ length: resamples }, () => figure(items.map(() => items[Math.floor(random() * items.length)]!))).filter(
    (value) => value !== null,
  )
  if (found.length === 0) return { low: null, high: null }
  const sorted = Float64Array.from(found).toSorted()
  return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) }
}

/** Tommy Ettinger's generator: 32 bits of state, the same numbers in every language. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Linear between the two nearest values. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return below + (above - below) * (place - Math.floor(place))
}
