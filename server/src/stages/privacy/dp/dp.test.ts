import { describe, expect, it } from 'vitest'
import { discreteGaussian, discreteLaplace, gaussianSigma, ratioOf } from './noise.ts'
import { release } from './release.ts'

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const times = (count: number, one: () => number) => Array.from({ length: count }, one)

describe('noise', () => {
  it.each([0.5, 1, 3.7])('discrete Laplace of scale %d has the probabilities of its definition', (scale) => {
    const values = times(30_000, () => Number(discreteLaplace(ratioOf(scale))))
    const q = Math.exp(-1 / scale)
    const share = (x: number) => values.filter((value) => value === x).length / values.length
    for (const x of [0, 1, -1, 2, -2]) {
      const expected = ((1 - q) / (1 + q)) * q ** Math.abs(x)
      expect(Math.abs(share(x) - expected)).toBeLessThan(5 * Math.sqrt(expected / values.length))
    }
  })

  it.each([0.8, 2, 6.5])('discrete Gaussian of σ %d has the probabilities of its definition', (sigma) => {
    const values = times(20_000, () => Number(discreteGaussian(ratioOf(sigma * sigma))))
    const weight = (x: number) => Math.exp((-x * x) / (2 * sigma * sigma))
    const total = Array.from({ length: 401 }, (_, index) => weight(index - 200)).reduce((sum, value) => sum + value, 0)
    for (const x of [0, 1, -1, 3]) {
      const expected = weight(x) / total
      const share = values.filter((value) => value === x).length / values.length
      expect(Math.abs(share - expected)).toBeLessThan(5 * Math.sqrt(expected / values.length) + 1e-4)
    }
  })

  it('writes a double as an exact fraction and rejects invalid values', () => {
    const { over, under } = ratioOf(0.1)
    expect(Number(over) / Number(under)).toBe(0.1)
    expect(() => ratioOf(Number.NaN)).toThrow('not a valid amount')
    expect(() => ratioOf(-1)).toThrow('not a valid amount')
  })
})

describe('release', () => {
  it('returns its sensitivity and deviation, and whole counts', () => {
    const count = release({ kind: 'count', value: 100 }, { mechanism: 'laplace', epsilon: 0.5, delta: 0 })
    expect(count).toMatchObject({ sensitivity: 1, deviation: Math.SQRT2 * 2 })
    expect(Number.isInteger(count.value)).toBe(true)
    const bins = release(
      { kind: 'histogram', bins: { Bash: 4, Read: 0 }, perSession: 4 },
      { mechanism: 'gaussian', epsilon: 1, delta: 1e-5 },
    )
    expect(bins.sensitivity).toBe(2)
    expect(bins.deviation).toBe(gaussianSigma(1, 1e-5, 2))
    expect(Object.keys(bins.bins!)).toEqual(['Bash', 'Read'])
  })

  it('clips the values of a mean, and stays within the bounds', () => {
    const mean = () =>
      release({ kind: 'mean', values: [...times(500, () => 20), 1e9], low: 0, high: 100 }, { mechanism: 'laplace', epsilon: 8, delta: 0 })
        .value!
    const values = times(50, mean)
    expect(meanOf(values)).toBeGreaterThan(18)
    expect(meanOf(values)).toBeLessThan(23)
    expect(release({ kind: 'mean', values: [], low: 0, high: 100 }, { mechanism: 'laplace', epsilon: 1e6, delta: 0 }).value).toBeNull()
  })
})
