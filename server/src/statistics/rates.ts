/** The chance that at least one of `k` answers is right, from `n` answers with `c` right ones: 1 − C(n−c, k)/C(n, k) (Chen 2021, unbiased). */
export function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1
  let allWrong = 1
  for (let answer = n - c + 1; answer <= n; answer++) allWrong *= 1 - k / answer
  return 1 - allWrong
}

/** Holm's correction (1979) of p values that decide together, in the order given. */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).toSorted((a, b) => values[a]! - values[b]!)
  const adjusted = Array.from<number>({ length: values.length })
  let least = 0
  for (const [rank, index] of order.entries()) {
    least = Math.min(1, Math.max(least, values[index]! * (values.length - rank)))
    adjusted[index] = least
  }
  return adjusted
}
