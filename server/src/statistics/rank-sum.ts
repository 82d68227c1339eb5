/**
 * The chance of a rank sum of `a` at least as large as the one seen, if `a` and `b` were drawn from one distribution. Exact, with
 * midranks for ties; null if either is empty.
 */
export function rankSumP(a: readonly number[], b: readonly number[]): number | null {
  if (a.length === 0 || b.length === 0) return null
  const sorted = [...a, ...b].toSorted((x, y) => x - y)
  // twice the midrank, so that it is whole
  const doubled = (value: number) => sorted.indexOf(value) + sorted.lastIndexOf(value) + 2
  const seen = a.reduce((sum, value) => sum + doubled(value), 0)
  const weights = sorted.map(doubled)
  const most = weights.reduce((sum, weight) => sum + weight, 0)
  // ways[k][s]: how many choices of k values have the sum s
  const ways = Array.from({ length: a.length + 1 }, () => new Float64Array(most + 1))
  ways[0]![0] = 1
  for (const [index, weight] of weights.entries())
    for (let k = Math.min(a.length, index + 1); k > 0; k -= 1)
      for (let sum = most; sum >= weight; sum -= 1) ways[k]![sum]! += ways[k - 1]![sum - weight]!
  const counts = ways[a.length]!
  let [all, extreme] = [0, 0]
  for (const [sum, count] of counts.entries()) {
    all += count
    if (sum >= seen) extreme += count
  }
  return extreme / all
}
