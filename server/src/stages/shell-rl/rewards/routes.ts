import { implement, type Implementation } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { computeRewards } from '#contracts/routes/rewards.ts'
import { groupOf, rewardOf } from './reward.ts'

export const rewardRoutes = (): Implementation[] => [
  implement(computeRewards, ({ body: { policy, episodes, groups } }) => {
    if (episodes === undefined && groups === undefined)
      throw new AppError('invalid_request', { message: 'Give episodes, groups of rewards, or both.' })
    return {
      ...(episodes && {
        episodes: episodes.map(({ success, turns, nonzero_exit_codes: nonzeroExitCodes }) => {
          const { reward, terms } = rewardOf({ success, turns, nonzeroExitCodes }, policy)
          return { ...terms, reward }
        }),
      }),
      ...(groups && {
        groups: groups.map((rewards) => {
          const group = groupOf(rewards)
          if (group === null) return null
          const { zeroVariance, ...groupValues } = group
          return { ...groupValues, zero_variance: zeroVariance }
        }),
      }),
    }
  }),
]
