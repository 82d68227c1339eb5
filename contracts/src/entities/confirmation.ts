import { z } from 'zod'
import { Instant } from './common.ts'

/** A change that a person reads before confirming it. */
export const ConfirmedChange = z.object({
  what: z.string(),
  from: z.string().nullable().meta({ description: 'null if nothing is replaced' }),
  to: z.string(),
})
export type ConfirmedChange = z.infer<typeof ConfirmedChange>

/** What a browser requested and the owner of the data directory must confirm. */
export const Confirmation = z
  .object({
    id: z.string().meta({ description: 'the code for `bashgym confirm`' }),
    title: z.string().meta({ description: 'what is asked, as a heading' }),
    changes: z.array(ConfirmedChange),
    state: z.enum(['open', 'confirmed']),
    canTrust: z.boolean().meta({ description: 'whether it names a folder that can be made a trusted one, which is not asked for again' }),
    expiresAt: Instant,
  })
  .meta({ id: 'Confirmation' })
export type Confirmation = z.infer<typeof Confirmation>
