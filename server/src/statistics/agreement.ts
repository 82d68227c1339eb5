import { sum } from './means.ts'

export type Weights = 'none' | 'linear' | 'quadratic'
export type Level = 'nominal' | 'ordinal' | 'interval'

export interface Agreement {
  n: number
  /** The share of items on which both agree; null without items. */
  agreement: number | null
  /** Cohen's kappa; null if chance alone explains everything (one label only). */
  kappa: number | null
  /** Gwet's AC1, which keeps its meaning where one label is rare. */
  ac1: number | null
}

/** The table of two raters: rows are labels of the first, in order. Labels that occur, sorted by value. */
export function tableOf(a: readonly number[], b: readonly number[]): number[][] {
  const labels = [...new Set([...a, ...b])].toSorted((x, y) => x - y)
  const table = labels.map(() => labels.map(() => 0))
  for (const [index, first] of a.entries()) table[labels.indexOf(first)]![labels.indexOf(b[index]!)]!++
  return table
}

/** Agreement of two raters from a square table of counts. */
export function kappa(table: readonly (readonly number[])[], weights: Weights): Agreement {
  const size = table.length
  const n = sum(table.flat())
  if (n === 0) return { n, agreement: null, kappa: null, ac1: null }
  const rows = table.map((row) => sum(row) / n)
  const columns = table.map((_, column) => sum(table.map((row) => row[column]!)) / n)
  const distance = (i: number, j: number): number => {
    if (weights === 'none') return i === j ? 0 : 1
    return weights === 'linear' ? Math.abs(i - j) : (i - j) ** 2
  }
  let [observed, expected] = [0, 0]
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      observed += distance(i, j) * (table[i]![j]! / n)
      expected += distance(i, j) * rows[i]! * columns[j]!
    }
  const agreement = sum(table.map((row, index) => row[index]!)) / n
  const shares = rows.map((row, index) => (row + columns[index]!) / 2)
  const chance = size < 2 ? 1 : sum(shares.map((share) => share * (1 - share))) / (size - 1)
  return {
    n,
    agreement,
    kappa: expected === 0 ? null : 1 - observed / expected,
    ac1: chance === 1 ? null : (agreement - chance) / (1 - chance),
  }
}

/** Krippendorff's alpha of several raters with gaps (null). Null if no item has two values, or all values are the same. */
export function alpha(raters: readonly (readonly (number | null)[])[], level: Level): number | null {
  const items = Math.max(0, ...raters.map((rater) => rater.length))
  const units = Array.from({ length: items }, (_, item) => raters.flatMap((rater) => rater[item] ?? [])).filter((unit) => unit.length > 1)
  const labels = [...new Set(units.flat())].toSorted((a, b) => a - b)
  const counts = labels.map((label) => sum(units.map((unit) => unit.filter((value) => value === label).length)))
  const n = sum(counts)
  const distance = (i: number, j: number): number => {
    if (i === j) return 0
    if (level === 'nominal') return 1
    if (level === 'interval') return (labels[i]! - labels[j]!) ** 2
    const [from, to] = [Math.min(i, j), Math.max(i, j)]
    return (sum(counts.slice(from, to + 1)) - (counts[from]! + counts[to]!) / 2) ** 2
  }
  let [observed, expected] = [0, 0]
  for (const unit of units)
    for (const [x, first] of unit.entries())
      for (const [y, second] of unit.entries())
        if (x !== y) observed += distance(labels.indexOf(first), labels.indexOf(second)) / (unit.length - 1)
  for (let i = 0; i < labels.length; i++) for (let j = 0; j < labels.length; j++) expected += counts[i]! * counts[j]! * distance(i, j)
  return expected === 0 ? null : 1 - ((n - 1) * observed) / expected
}
