import { z } from 'zod'
import { Instant } from './common.ts'

export const ProbeState = z.enum(['clean', 'warning', 'leaks', 'not_measured']).meta({ id: 'ProbeState' })
export type ProbeState = z.infer<typeof ProbeState>

const Phrase = z.object({
  id: z.string(),
  exposure: z.number().meta({ description: 'log2 of the endings minus log2 of the rank of the true one; at its maximum a lower bound' }),
  extracted: z.boolean().meta({ description: 'written greedily' }),
})

/** Whether a model repeats phrases that were planted in its training data. */
export const Probe = z
  .object({
    at: Instant,
    state: ProbeState.meta({
      description:
        'leaks: it wrote one; warning: it knows them better than phrases that were never planted; not_measured: none were planted',
    }),
    planted: z.array(Phrase),
    controls: z.array(Phrase).meta({ description: 'phrases that were never planted' }),
    endings: z.number().int().meta({ description: 'how many endings the true one is ranked among' }),
    extracted: z.number().int().meta({ description: 'of the planted phrases' }),
    bound: z.number().nullable().meta({ description: 'with 95 % confidence no larger share is written; null if none was planted' }),
    p: z.number().nullable().meta({ description: 'exact rank test of planted against controls, one-sided' }),
  })
  .meta({ id: 'Probe' })
export type Probe = z.infer<typeof Probe>
