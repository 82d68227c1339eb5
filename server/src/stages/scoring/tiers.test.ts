import { describe, expect, it } from 'vitest'
import { tierOf, type TierInput } from './tiers.ts'

const NONE: TierInput['verification'] = { state: 'none', decidedBy: [], open: false, red: false, override: null }
const ran = (kind: 'test' | 'build' | 'lint', state: 'passed' | 'failed' | 'unclear'): TierInput['verification'] => ({
  state,
  decidedBy: [{ kind, result: state }],
  open: false,
  red: false,
  override: null,
})
const input = (successRate: number | null, quality: number | null, verification = NONE): TierInput => ({
  successRate,
  quality,
  verification,
})

describe('the thresholds policy', () => {
  it.each([
    [0.9, 0.75, 'gold'],
    [0.9 - 1e-10, 0.75 - 1e-10, 'gold'],
    [0.9 - 1e-8, 0.75, 'silver'],
    [1, 0.75 - 1e-8, 'silver'],
    [0.75, 0.55, 'silver'],
    [0.74, 0.9, 'bronze'],
    [0.6, 0.4, 'bronze'],
    [0.59, 0.9, 'failed'],
    [1, 0.39, 'failed'],
    [null, null, 'pending'],
  ])('success %s and quality %s give %s', (successRate, quality, tier) => {
    expect(tierOf('thresholds', input(successRate, quality)).tier).toBe(tier)
  })

  it('fails a trace whose verification failed, whatever its metrics', () => {
    expect(tierOf('thresholds', input(null, null, ran('lint', 'failed')))).toEqual({ tier: 'failed', reason: 'lint failed; no tests ran' })
    expect(tierOf('thresholds', input(1, 1, ran('test', 'failed')))).toEqual({ tier: 'failed', reason: 'tests failed' })
  })

  it('uses the thresholds of the settings', () => {
    const rank = { successRate: 0.1, quality: 0.1 }
    expect(tierOf('thresholds', input(0.2, 0.2), { gold: rank, silver: rank, bronze: rank }).tier).toBe('gold')
  })
})

describe('the verified_first policy', () => {
  it.each([
    [input(null, null, ran('test', 'passed')), 'gold', 'tests passed'],
    [input(0.1, 0.1, ran('test', 'passed')), 'gold', 'tests passed'],
    [input(1, 1, ran('test', 'failed')), 'failed', 'tests failed'],
    [
      input(0.5, 0.5, ran('build', 'passed')),
      'pending',
      'success 0.50 and quality 0.50 do not reach gold, and no test passed; build passed; no tests ran',
    ],
    [input(0.8, 0.7, ran('build', 'passed')), 'gold', 'success 0.80 and quality 0.70 reach gold; build passed; no tests ran'],
    [input(0.1, 0.3, { ...NONE, state: 'passed', override: { state: 'passed', by: 'verifier' } }), 'gold', 'verifier: passed'],
    [input(0.3, 0.5), 'pending', 'success 0.30 and quality 0.50 do not reach gold, and no test passed'],
    [input(0.29, 0.9), 'failed', 'success 0.29 is below 0.30'],
    [input(null, null), 'pending', 'not enough evidence: no step has a known outcome'],
    [input(0.79, 0.9), 'pending', 'success 0.79 and quality 0.90 do not reach gold, and no test passed'],
  ])('%j gives %s: %s', (facts, tier, reason) => {
    expect(tierOf('verified_first', facts)).toEqual({ tier, reason })
  })
})

describe('an open or red failure', () => {
  const open = { ...ran('test', 'unclear'), open: true }
  const red = { ...NONE, state: 'unclear' as const, red: true }
  it.each([
    ['thresholds', input(1, 1, open), 'silver'],
    ['thresholds', input(0.7, 0.5, open), 'bronze'],
    ['thresholds', input(1, 1, red), 'bronze'],
    ['thresholds', input(0.5, 0.3, red), 'failed'],
    ['verified_first', input(1, 1, open), 'pending'],
    ['verified_first', input(1, 1, red), 'pending'],
    ['verified_first', input(1, 1, { ...ran('test', 'passed'), open: true }), 'pending'],
  ] as const)('caps %s of %j at %s', (policy, facts, tier) => {
    expect(tierOf(policy, facts).tier).toBe(tier)
  })
})
