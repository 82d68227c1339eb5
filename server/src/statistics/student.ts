const TINY = 1e-300

/** Two-sided 95 % quantile of Student's t with `df` degrees of freedom, to 1e-9. */
export function t95(df: number): number {
  let [low, high] = [1.9, 13]
  while (high - low > 1e-10) {
    const middle = (low + high) / 2
    if (twoSided(middle, df) > 0.05) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(|T| ≥ t) with `df` degrees of freedom. */
export const twoSided = (t: number, df: number): number => incompleteBeta(df / (df + t * t), df / 2, 0.5)

/** The regularised incomplete beta function, by its continued fraction (Lentz's method). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1) || TINY)]
  let fraction = d
  for (let m = 1; m < 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    for (const term of [even, odd]) {
      d = 1 / (1 + term * d || TINY)
      c = 1 + term / c || TINY
      fraction *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return front * fraction
}

/** Stirling's series, after moving the argument above 10. */
function logGamma(value: number): number {
  let [x, shift] = [value, 0]
  for (; x < 10; x++) shift += Math.log(x)
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5) - 1 / (1680 * x ** 7)
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift
}
