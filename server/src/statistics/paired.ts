import { clustered, type Mean, variance } from './means.ts'

export interface Paired extends Omit<Mean, 'mean'> {
  /** Null without items. */
  delta: number | null
  /** Standard error as if the two had been measured on different items. */
  unpairedSe: number | null
  wins: number
  losses: number
  ties: number
  /** Exact sign test of wins against losses. */
  p: number
  midP: number
}

/** Candidate minus base, item by item; items with the same cluster depend on each other. */
export function paired(base: readonly number[], candidate: readonly number[], clusters?: readonly string[]): Paired {
  const groups = new Map<string, number[]>()
  let [wins, losses] = [0, 0]
  for (const [index, before] of base.entries()) {
    const difference = candidate[index]! - before
    if (difference > 0) wins++
    if (difference < 0) losses++
    const key = clusters?.[index] ?? String(index)
    groups.set(key, [...(groups.get(key) ?? []), difference])
  }
  const { mean: delta, ...more } = clustered([...groups.values()])
  const n = base.length
  return {
    delta,
    ...more,
    unpairedSe: n < 2 ? null : Math.sqrt((variance(base) + variance(candidate)) / n),
    wins,
    losses,
    ties: n - wins - losses,
    ...mcnemar(losses, wins),
  }
}

/** McNemar's exact two-sided test of `b` against `c` discordant pairs, and its mid-p value. */
export function mcnemar(b: number, c: number): { p: number; midP: number } {
  const n = b + c
  const least = Math.min(b, c)
  let term = 0.5 ** n
  let tail = term
  for (let k = 1; k <= least; k++) {
    term *= (n - k + 1) / k
    tail += term
  }
  return { p: Math.min(1, 2 * tail), midP: Math.min(1, 2 * tail - term) }
}

const Z_ONE_SIDED_95 = 1.6448536

/** Whether a candidate is not worse than its base by `margin` or more: `b` items lost and `c` won of `n`, one-sided 95 %. */
export function nonInferiority(
  n: number,
  b: number,
  c: number,
  margin: number,
): { delta: number; se: number; end: number; shown: boolean } {
  const delta = (c - b) / n
  const se = Math.sqrt(b + c - (b - c) ** 2 / n) / n
  const end = delta - Z_ONE_SIDED_95 * se
  return { delta, se, end, shown: end > -margin }
}
