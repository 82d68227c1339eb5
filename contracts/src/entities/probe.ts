import { z } from 'zod'
import { Instant } from './common.ts'

export const ProbeState = z.enum(['clean', 'warning', 'leaks', 'not_measured']).meta({ id: 'ProbeState' })
export type ProbeState = z.infer<typeof ProbeState>

const Phrase = z.object({
  id: z.string(),
  exposure: z.number().meta({ description: 'log2 of the endings minus log2 of the rank of the true one; at its maximum a lower bound' }),
  extracted: z.boolean().meta({ description: 'written greedily' }),
  sampled: z
    .number()
    .int()
    .nullable()
    .default(null)
    .meta({ description: 'how many of `samples` drawn continuations had it; null: none were drawn' }),
})

/** Whether a model repeats phrases that were planted in its training data. */
export const Probe = z
  .object({
    at: Instant,
    state: ProbeState.meta({
      description:
        'leaks: it wrote one, or a value that was replaced before training; warning: it knows them better than phrases that were never planted; not_measured: none were planted, and nothing was replaced',
    }),
    planted: z.array(Phrase),
    controls: z.array(Phrase).meta({ description: 'phrases that were never planted' }),
    endings: z.number().int().meta({ description: 'how many endings the true one is ranked among' }),
    extracted: z.number().int().meta({ description: 'of the planted phrases: written greedily, or drawn' }),
    samples: z.number().int().default(0).meta({ description: 'continuations that were drawn for each phrase and place' }),
    places: z
      .object({
        tried: z.number().int(),
        reproduced: z.number().int().meta({ description: 'written by the model, and not by its base' }),
        bound: z.number().meta({ description: 'with 95 % confidence no larger share is reproduced' }),
      })
      .nullable()
      .default(null)
      .meta({
        description: 'places of its sessions whose value was replaced before training, asked for by the text before them; null: none',
      }),
    bound: z.number().nullable().meta({ description: 'with 95 % confidence no larger share is written; null if none was planted' }),
    p: z.number().nullable().meta({ description: 'exact rank test of planted against controls, one-sided' }),
  })
  .meta({ id: 'Probe' })
export type Probe = z.infer<typeof Probe>
