import { describe, expect, it } from 'vitest'
import { RewardPolicy } from '#contracts/entities/rollout.ts'
import { groupOf, rewardOf } from './reward.ts'

const policy = RewardPolicy.parse({})

describe('a reward of shell-v1', () => {
  it('has the published values', () => {
    const solved = rewardOf({ success: true, turns: 15, nonzeroExitCodes: 3 }, policy)
    expect(solved.reward).toBeCloseTo(0.78, 10)
    expect(solved.terms.length_factor).toBe(0.5)
    const failed = rewardOf({ success: false, turns: 30, nonzeroExitCodes: 30 }, policy)
    expect(failed.reward).toBeCloseTo(-0.4, 10)
    expect(failed.terms.length_factor).toBeCloseTo(0.002473, 6)
  })

  it('uses length 1 for an episode without messages, and limits the error rate to 1 if there are more codes than messages', () => {
    const { terms } = rewardOf({ success: false, turns: 0, nonzeroExitCodes: 2 }, policy)
    expect(terms).toMatchObject({ fail_penalty: 0.01, exit_error_rate: 1 })
  })
})

describe('a group', () => {
  it('compares its rewards with their mean', () => {
    const group = groupOf([1, 1, 0, 0])
    expect(group).toMatchObject({ mean: 0.5, std: 0.5, zeroVariance: false })
    expect(group?.advantages[0]).toBeCloseTo(0.999998, 6)
    expect(group?.advantages[3]).toBeCloseTo(-0.999998, 6)
  })

  it('marks groups whose rewards are all equal', () => {
    expect(groupOf([0.1, 0.1, 0.1])).toMatchObject({ std: 0, zeroVariance: true, advantages: [0, 0, 0] })
    expect(groupOf([])).toBeNull()
  })
})
