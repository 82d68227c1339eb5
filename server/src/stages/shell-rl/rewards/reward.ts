import type { RewardPolicy, RewardTerms } from '#contracts/entities/rollout.ts'

/** The inputs of a reward; none of them is read from text. */
export interface RewardInput {
  success: boolean
  /** How many messages the model sent. */
  turns: number
  nonzeroExitCodes: number
}

/** Computes the reward of an episode, between -1 and 1, and its terms. */
export function rewardOf({ success, turns, nonzeroExitCodes }: RewardInput, policy: RewardPolicy): { reward: number; terms: RewardTerms } {
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
  /** The standard deviation of the whole group, not of a sample. */
  std: number
  advantages: number[]
  /** Whether all rewards are equal, so that nothing can be learned from them. */
  zeroVariance: boolean
}

/** Statistics over the rewards of one task's attempts; null if there are none. */
export function groupOf(rewards: readonly number[]): RewardGroup | null {
  if (rewards.length === 0) return null
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
  const zeroVariance = rewards.every((reward) => reward === rewards[0])
  const std = zeroVariance ? 0 : Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length)
  return { mean, std, advantages: rewards.map((reward) => (zeroVariance ? 0 : (reward - mean) / (std + 1e-6))), zeroVariance }
}
