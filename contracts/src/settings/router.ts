import { z } from 'zod'
import { askedField } from '../places.ts'

/** Which model of the user's own answers as an agent in Claude Code. */
export const RouterSettings = z
  .object({
    studentModel: z
      .string()
      .trim()
      .max(200)
      .default('')
      .meta({ description: 'a model of the registry by its id, or the name of the model at `studentAddress`; empty: none' }),
    studentAddress: askedField(z.string().trim().max(2000), 'Send the work of the gym agent to an address')
      .default('')
      .meta({ description: 'of an OpenAI-compatible endpoint; empty: the model of the registry is served here' }),
    override: z
      .string()
      .trim()
      .max(300)
      .default('')
      .meta({ description: '"use NAME without proof", with the name of the model: uses it although no exam has shown that it is better' }),
  })
  .prefault({})
