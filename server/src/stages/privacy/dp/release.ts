import { discreteGaussian, discreteLaplace, gaussianSigma, ratioOf } from './noise.ts'

export interface Spending {
  mechanism: 'laplace' | 'gaussian'
  epsilon: number
  /** Used by the Gaussian mechanism only. */
  delta: number
}

/** A statistic to release. The unit of protection is one session. */
export type Statistic =
  | { kind: 'count'; value: number }
  /** A session counts in at most `perSession` bins, and once in each. */
  | { kind: 'histogram'; bins: Record<string, number>; perSession: number }
  /** Mean of one value per session, clipped to bounds that must not depend on the data. */
  | { kind: 'mean'; values: readonly number[]; low: number; high: number }

export interface Noisy {
  /** Count or mean; null for a histogram, and for a mean whose noisy count is below 1. */
  value: number | null
  bins: Record<string, number> | null
  /** L1 (Laplace) or L2 (Gaussian) distance between the statistics of archives that differ in one session. */
  sensitivity: number
  /** Standard deviation of the noise on a count or bin. */
  deviation: number
}

/** Steps of the grid that sums are rounded to, over their range. */
const STEPS = 1000

/** The statistic with its noise. Negative counts are kept: clipping them would bias means. */
export function release(statistic: Statistic, spending: Spending): Noisy {
  if (statistic.kind === 'mean') return noisyMean(statistic, spending)
  const sensitivity = sensitivityOf(statistic, spending.mechanism)
  const add = noiseOf(sensitivity, spending)
  const common = { sensitivity, deviation: add.deviation }
  if (statistic.kind === 'count') return { ...common, value: statistic.value + add.draw(), bins: null }
  const bins = Object.fromEntries(Object.entries(statistic.bins).map(([name, count]) => [name, count + add.draw()]))
  return { ...common, value: null, bins }
}

/** Maximum difference between the statistics of two archives that differ in one session. */
export function sensitivityOf(statistic: Statistic, mechanism: Spending['mechanism']): number {
  if (statistic.kind === 'mean') return statistic.high - statistic.low
  if (statistic.kind === 'count') return 1
  return mechanism === 'laplace' ? statistic.perSession : Math.sqrt(statistic.perSession)
}

/** Spends half of the budget on the sum and half on the count, because one session can change both. */
function noisyMean({ values, low, high }: Statistic & { kind: 'mean' }, spending: Spending): Noisy {
  const half = { ...spending, epsilon: spending.epsilon / 2, delta: spending.delta / 2 }
  const step = (high - low) / STEPS
  const sum = values.reduce((total, value) => total + Math.round((Math.min(high, Math.max(low, value)) - low) / step), 0)
  const sumNoise = noiseOf(STEPS, half)
  const count = values.length + noiseOf(1, half).draw()
  const noisySum = sum + sumNoise.draw()
  const value = count < 1 ? null : Math.min(high, Math.max(low, low + (noisySum * step) / count))
  return { value, bins: null, sensitivity: high - low, deviation: sumNoise.deviation * step }
}

/** Discrete noise for whole numbers that one session can change by `sensitivity`. */
function noiseOf(sensitivity: number, { mechanism, epsilon, delta }: Spending): { draw: () => number; deviation: number } {
  if (mechanism === 'laplace') {
    const scale = sensitivity / epsilon
    const ratio = ratioOf(scale)
    return { draw: () => Number(discreteLaplace(ratio)), deviation: Math.SQRT2 * scale }
  }
  const sigma = gaussianSigma(epsilon, delta, sensitivity)
  const variance = ratioOf(sigma * sigma)
  return { draw: () => Number(discreteGaussian(variance)), deviation: sigma }
}
