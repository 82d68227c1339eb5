import { describe, expect, it } from 'vitest'
import { boundFor, METRICS } from './score-rules.ts'

const thresholds = {
  gold: { successRate: 0.9, quality: 0.75 },
  silver: { successRate: 0.75, quality: 0.55 },
  bronze: { successRate: 0.6, quality: 0.4 },
}

describe('the bars of a score', () => {
  it('have weights that sum to one', () => {
    expect(METRICS.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12)
  })

  it('mark the next bound to reach, and gold where it is reached', () => {
    expect(boundFor('successRate', 0.8, thresholds)).toEqual({ tier: 'gold', at: 0.9 })
    expect(boundFor('successRate', 0.75 - 1e-12, thresholds)).toEqual({ tier: 'gold', at: 0.9 })
    expect(boundFor('quality', 0.2, thresholds)).toEqual({ tier: 'bronze', at: 0.4 })
    expect(boundFor('quality', 0.99, thresholds)).toEqual({ tier: 'gold', at: 0.75 })
    expect(boundFor('quality', null, thresholds)).toEqual({ tier: 'bronze', at: 0.4 })
  })
})
