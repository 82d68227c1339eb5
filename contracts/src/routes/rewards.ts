import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { RewardPolicy, RewardTerms } from '../entities/rollout.ts'

const route = routesOf('rewards')

/** Field names are as trainers log them. */
const Rewarded = z.object({
  success: z.boolean(),
  turns: z.number().int().min(0).meta({ description: 'messages of the model' }),
  nonzero_exit_codes: z.number().int().min(0),
})

export const computeRewards = route.post('computeRewards', '/api/arena/reward', {
  summary: 'Rewards of episodes with their terms, and advantages in groups of rewards',
  body: z.object({
    policy: RewardPolicy.prefault({}),
    episodes: z.array(Rewarded).max(100_000).optional(),
    groups: z.array(z.array(z.number()).max(100_000)).max(100_000).optional(),
  }),
  response: z.object({
    episodes: z.array(RewardTerms.extend({ reward: z.number() })).optional(),
    groups: z
      .array(
        z
          .object({ mean: z.number(), std: z.number(), advantages: z.array(z.number()), zero_variance: z.boolean() })
          .nullable()
          .meta({ description: 'null for a group without rewards' }),
      )
      .optional(),
  }),
  errors: ['invalid_request'],
})
