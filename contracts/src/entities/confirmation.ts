import { z } from 'zod'
import { Instant } from './common.ts'

/** What would change, for a person to read before it does. */
export const ConfirmedChange = z.object({
  what: z.string(),
  from: z.string().nullable().meta({ description: 'null: nothing is replaced' }),
  to: z.string(),
})
export type ConfirmedChange = z.infer<typeof ConfirmedChange>

/** A change that a browser asked for and that the owner of the data directory has to confirm. */
export const Confirmation = z
  .object({
    id: z.string().meta({ description: 'the code for `bashgym confirm`' }),
    changes: z.array(ConfirmedChange),
    state: z.enum(['open', 'confirmed']),
    expiresAt: Instant,
  })
  .meta({ id: 'Confirmation' })
export type Confirmation = z.infer<typeof Confirmation>
