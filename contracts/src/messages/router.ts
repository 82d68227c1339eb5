import { z } from 'zod'
import { RouteDecision } from '../entities/routing.ts'
import type { MessageGroup } from './group.ts'

export const routerMessages = {
  durable: {},
  passing: {
    /** Sent when a request has passed. */
    'router:decision': z.object({ decision: RouteDecision }),
    /** Sent when a step of the gym agent was answered. */
    'router:step': z.object({ modelId: z.string().nullable(), failed: z.boolean() }),
  },
} satisfies MessageGroup
