import { randomBytes, randomInt } from 'node:crypto'

/**
 * Noise for released statistics, from the operating system's generator.
 *
 * Counts get discrete noise, drawn exactly with whole numbers only (C. Canonne, G. Kamath, T. Steinke: The Discrete
 * Gaussian for Differential Privacy, 2020, algorithms 1–3): the last bits of doubles would leak which values are possible
 * (I. Mironov, 2012). Means and sums are rounded to a grid first and get the same discrete noise in steps of that grid.
 */

/** The fraction `over` / `under`, with `over` ≥ 0 and `under` > 0. */
export interface Ratio {
  over: bigint
  under: bigint
}

/** A double as an exact fraction. */
export function ratioOf(value: number): Ratio {
  if (!(value >= 0) || !Number.isFinite(value)) throw new RangeError(`${value} is not a valid amount of noise.`)
  let under = 1n
  let over = value
  while (!Number.isInteger(over)) {
    over *= 2
    under *= 2n
  }
  return { over: BigInt(over), under }
}

/** A uniformly distributed whole number from 0 to `n` − 1. */
function randomBelow(n: bigint): bigint {
  if (n <= 0xff_ff_ff_ff_ffn) return BigInt(randomInt(Number(n)))
  const bytes = Math.ceil(n.toString(2).length / 8)
  const span = 1n << BigInt(bytes * 8)
  for (;;) {
    const value = BigInt(`0x${randomBytes(bytes).toString('hex')}`)
    if (value < span - (span % n)) return value % n
  }
}

const bernoulli = ({ over, under }: Ratio): boolean => randomBelow(under) < over

/** True with probability exp(−γ). */
function bernoulliExp({ over, under }: Ratio): boolean {
  for (let remaining = over; remaining > under; remaining -= under) if (!bernoulliExpSmall({ over: 1n, under: 1n })) return false
  return bernoulliExpSmall(over > under ? { over: over - ((over - 1n) / under) * under, under } : { over, under })
}

/** True with probability exp(−γ) for γ ≤ 1, by coin tosses for its alternating series. */
function bernoulliExpSmall({ over, under }: Ratio): boolean {
  let k = 1n
  while (bernoulli({ over, under: under * k })) k += 1n
  return k % 2n === 1n
}

/** Whole numbers with probability ∝ exp(−|x|·under/over): scale over/under. */
export function discreteLaplace({ over: t, under: s }: Ratio): bigint {
  for (;;) {
    const u = randomBelow(t)
    if (!bernoulliExp({ over: u, under: t })) continue
    let v = 0n
    while (bernoulliExpSmall({ over: 1n, under: 1n })) v += 1n
    const size = (u + t * v) / s
    const isNegative = randomBelow(2n) === 1n
    if (isNegative && size === 0n) continue
    return isNegative ? -size : size
  }
}

/** Whole numbers with probability ∝ exp(−x²/2σ²), from σ². */
export function discreteGaussian(variance: Ratio): bigint {
  const t = squareRoot(variance.over / variance.under) + 1n
  for (;;) {
    const y = discreteLaplace({ over: t, under: 1n })
    const size = y < 0n ? -y : y
    // (|y| − σ²/t)² / 2σ²
    const offset = size * t * variance.under - variance.over
    if (bernoulliExp({ over: offset * offset, under: 2n * variance.over * variance.under * t * t })) return y
  }
}

function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let guess = BigInt(Math.floor(Math.sqrt(Number(value))))
  while (guess * guess > value) guess -= 1n
  while ((guess + 1n) * (guess + 1n) <= value) guess += 1n
  return guess
}

/**
 * Standard deviation of the Gaussian mechanism for (ε, δ), ε ≤ 1 (Dwork, Roth 2014, theorem A.1); for a larger ε the noise
 * for ε = 1 is used, which protects more than requested.
 */
export const gaussianSigma = (epsilon: number, delta: number, sensitivity: number): number =>
  (Math.sqrt(2 * Math.log(1.25 / delta)) * sensitivity) / Math.min(1, epsilon)
