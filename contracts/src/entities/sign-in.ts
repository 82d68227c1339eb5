import { z } from 'zod'
import { Instant } from './common.ts'

/** A browser or window that may call the API. Only a hash of its key is stored. */
export const SignIn = z
  .object({
    id: z.string(),
    createdAt: Instant,
    lastUsedAt: Instant,
    expiresAt: Instant.meta({ description: 'when it expires if it is not used' }),
    userAgent: z.string().meta({ description: 'user agent of the browser, or empty' }),
    isCurrent: z.boolean().meta({ description: 'true for the caller' }),
  })
  .meta({ id: 'SignIn' })
export type SignIn = z.infer<typeof SignIn>
