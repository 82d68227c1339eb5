import { z } from 'zod'
import type { MessageGroup } from './group.ts'

export const privacyMessages = {
  durable: {
    'privacy:changed': z.object({ policyHash: z.string(), reason: z.enum(['scan', 'decision', 'policy', 'release']) }),
  },
  passing: {},
} satisfies MessageGroup
