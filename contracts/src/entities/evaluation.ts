import { z } from 'zod'
import { Instant } from './common.ts'

export const ExamVerdict = z.enum(['ship', 'not_proven', 'bounded_null', 'worse', 'refused']).meta({ id: 'ExamVerdict' })
export type ExamVerdict = z.infer<typeof ExamVerdict>

/** A figure of a model on work that training never saw. That of an exam is the difference from the model that it was compared with. */
export const Evaluation = z
  .object({
    name: z.string(),
    value: z.number().nullable(),
    n: z.number().int().nullable().meta({ description: 'tries of a share, or sessions of an exam' }),
    at: Instant,
    exam: z
      .object({
        examId: z.string(),
        run: z.string(),
        name: z.string(),
        against: z.string(),
        verdict: ExamVerdict,
        interval: z.object({ low: z.number(), high: z.number() }).nullable().meta({ description: '95 %, clustered by session' }),
        standing: z.enum(['proof', 'counts', 'beside']).default('beside').meta({
          description:
            'proof, counts: the one verdict of the model that counts, and whether it proves that the model is better than its base',
        }),
      })
      .nullable()
      .default(null)
      .meta({ description: 'null: the value is a share of `n` tries' }),
  })
  .meta({ id: 'Evaluation' })
export type Evaluation = z.infer<typeof Evaluation>
