import { z } from 'zod'
import type { MessageGroup } from './group.ts'

export const systemMessages = {
  durable: {},
  passing: {
    'sign-ins:changed': z.object({}),
    'confirmation:confirmed': z.object({ id: z.string() }),
  },
} satisfies MessageGroup
