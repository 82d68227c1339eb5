import { z } from 'zod'
import { Policy, Thresholds } from '../entities/score.ts'
import { notAPlace } from '../places.ts'

export const ScoringSettings = z
  .object({
    policy: Policy.default('thresholds'),
    thresholds: Thresholds.default({
      gold: { successRate: 0.9, quality: 0.75 },
      silver: { successRate: 0.75, quality: 0.55 },
      bronze: { successRate: 0.6, quality: 0.4 },
    }),
    verificationCommands: z
      .array(
        z.object({
          project: notAPlace(z.string().max(1000), 'compared with the folders of sessions, never opened'),
          command: z.string().min(1).max(1000),
          kind: z.enum(['test', 'build', 'lint']),
        }),
      )
      .max(500)
      .default([])
      .meta({ description: 'commands that verify in this project, beside the known ones' }),
    outcomesAfterImports: z
      .boolean()
      .default(false)
      .meta({ description: 'after each import, read the repositories of sessions to look up whether their commits stayed' }),
    outcomeDays: z.number().int().min(1).max(365).default(14).meta({ description: 'a correction after this time does not count' }),
  })
  .prefault({})
