import { z } from 'zod'
import { Instant } from './common.ts'

/** A change that a person reads before confirming it. */
export const ConfirmedChange = z.object({
  what: z.string(),
  from: z.string().nullable().meta({ description: 'null if nothing is replaced' }),
  to: z.string(),
})
export type ConfirmedChange = z.infer<typeof ConfirmedChange>

/** Changes that a browser requested and the owner of the data directory must confirm. */
export const Confirmation = z
  .object({
    id: z.string().meta({ description: 'the code for `bashgym confirm`' }),
    changes: z.array(ConfirmedChange),
    state: z.enum(['open', 'confirmed']),
    expiresAt: Instant,
  })
  .meta({ id: 'Confirmation' })
export type Confirmation = z.infer<typeof Confirmation>
