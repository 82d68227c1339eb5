import { t95 } from './student.ts'

export interface Mean {
  /** Null without values. */
  mean: number | null
  n: number
  groups: number
  /** Standard error as if every value stood for itself. */
  plainSe: number | null
  /** Standard error by groups, with the factor G/(G − 1); null with fewer than two groups. */
  se: number | null
  /** The same without that factor. */
  uncorrectedSe: number | null
  /** 95 % interval with t and G − 1 degrees of freedom. */
  low: number | null
  high: number | null
}

/** The mean of values that depend on each other inside their group (Miller 2024). Every figure is null without values. */
export function clustered(groups: readonly (readonly number[])[]): Mean {
  const filled = groups.filter((group) => group.length > 0)
  const values = filled.flat()
  const [n, count] = [values.length, filled.length]
  if (n === 0) return { mean: null, n, groups: 0, plainSe: null, se: null, uncorrectedSe: null, low: null, high: null }
  const mean = sum(values) / n
  const uncorrectedSe = count < 2 ? null : Math.sqrt(sum(filled.map((group) => sum(group.map((value) => value - mean)) ** 2))) / n
  const se = uncorrectedSe === null ? null : uncorrectedSe * Math.sqrt(count / (count - 1))
  const reach = se === null ? null : t95(count - 1) * se
  return {
    mean,
    n,
    groups: count,
    plainSe: n < 2 ? null : Math.sqrt(variance(values) / n),
    se,
    uncorrectedSe,
    low: reach === null ? null : mean - reach,
    high: reach === null ? null : mean + reach,
  }
}

export const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

/** Sample variance, with n − 1. */
export function variance(values: readonly number[]): number {
  const mean = sum(values) / values.length
  return sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1)
}

/** Pearson's correlation; null with fewer than three pairs, or if one side does not vary. */
export function correlation(pairs: readonly (readonly [x: number, y: number])[]): number | null {
  if (pairs.length < 3) return null
  const mean = (side: 0 | 1) => sum(pairs.map((pair) => pair[side])) / pairs.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const product = (of: (x: number, y: number) => number) => sum(pairs.map(([x, y]) => of(x - meanX, y - meanY)))
  const spread = Math.sqrt(product((x) => x * x) * product((_, y) => y * y))
  return spread === 0 ? null : product((x, y) => x * y) / spread
}
