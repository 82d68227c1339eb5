import type { RewardPolicy, RewardTerms } from '#contracts/entities/rollout.ts'

/** What a reward is made of; nothing is read out of text. */
export interface Rewarded {
  success: boolean
  /** Messages of the model. */
  turns: number
  nonzeroExitCodes: number
}

/** The reward of an episode under a policy, between -1 and 1, with its terms. */
export function rewardOf({ success, turns, nonzeroExitCodes }: Rewarded, policy: RewardPolicy): { reward: number; terms: RewardTerms } {
  const length = Math.max(1, turns)
  const lengthFactor = 1 / (1 + Math.exp((length - policy.lengthMiddle) / policy.lengthWidth))
  const errorRate = Math.min(1, nonzeroExitCodes / length)
  const successTerm = success ? 1 - policy.lengthShare * (1 - lengthFactor) : 0
  const exitPenalty = policy.exitPenalty * errorRate
  const failPenalty = success ? 0 : policy.failPenalty * length
  return {
    reward: Math.min(1, Math.max(-1, successTerm - exitPenalty - failPenalty)),
    terms: {
      length_factor: lengthFactor,
      success_term: successTerm,
      exit_penalty: exitPenalty,
      fail_penalty: failPenalty,
      exit_error_rate: errorRate,
      success: success ? 1 : 0,
      turns,
      nonzero_exit_codes: nonzeroExitCodes,
    },
  }
}

export interface RewardGroup {
  mean: number
  /** Of the whole group, not of a sample. */
  std: number
  advantages: number[]
  /** All rewards are the same: nothing can be learned from it. */
  zeroVariance: boolean
}

/** Of the rewards of one task's attempts; null for none. */
export function groupOf(rewards: readonly number[]): RewardGroup | null {
  if (rewards.length === 0) return null
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
  const zeroVariance = rewards.every((reward) => reward === rewards[0])
  const std = zeroVariance ? 0 : Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length)
  return { mean, std, advantages: rewards.map((reward) => (zeroVariance ? 0 : (reward - mean) / (std + 1e-6))), zeroVariance }
}
