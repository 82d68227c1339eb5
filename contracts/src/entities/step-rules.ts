import { z } from 'zod'
import { StepRule } from '../settings/router.ts'

export const StepRulesRequest = z
  .object({ rules: z.array(StepRule).max(20).optional().meta({ description: 'default: those of the settings' }) })
  .meta({ id: 'StepRulesRequest' })

/** What recent sessions would have cost with rules, by a simulation of the cache in which the same steps are taken. */
export const StepRulesPrice = z
  .object({
    sessions: z.number().int().meta({ description: 'the newest, at most 1000' }),
    steps: z.number().int(),
    leftOut: z.number().int().meta({ description: 'sessions without times, counts or prices' }),
    recordedUsd: z.number().nullable().meta({ description: 'what they cost' }),
    withoutUsd: z
      .number()
      .nullable()
      .meta({ description: 'the simulation without rules; how near it is to what they cost says how good it is' }),
    withUsd: z.number().nullable(),
    switchUsd: z
      .number()
      .nullable()
      .meta({ description: 'part of the difference: what other steps pay more, because a change of model leaves them a colder cache' }),
    rules: z.array(
      z.object({
        rule: StepRule,
        steps: z.number().int().meta({ description: 'that it fits' }),
        usd: z
          .number()
          .nullable()
          .meta({ description: 'how much more they would have cost; null: only the effort changes, and what that saves was not measured' }),
      }),
    ),
    isOn: z.boolean(),
    problem: z.string().nullable().meta({ description: 'why rules are not carried out although they are on' }),
  })
  .meta({ id: 'StepRulesPrice' })
export type StepRulesPrice = z.infer<typeof StepRulesPrice>
