import { z } from 'zod'
import { Instant } from './common.ts'

/** A browser or window that may call the API. Its key is stored nowhere, only the key's hash. */
export const SignIn = z
  .object({
    id: z.string(),
    createdAt: Instant,
    lastUsedAt: Instant,
    expiresAt: Instant.meta({ description: 'if it is not used before' }),
    userAgent: z.string().meta({ description: 'as the browser names itself; empty: not named' }),
    isCurrent: z.boolean().meta({ description: 'the one that asks' }),
  })
  .meta({ id: 'SignIn' })
export type SignIn = z.infer<typeof SignIn>
