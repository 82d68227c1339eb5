import { z } from 'zod'
import { RouteDecision, RouteStats } from '../entities/routing.ts'
import type { MessageGroup } from './group.ts'

export const routerMessages = {
  /** The share of a model was taken back because its results fell. */
  durable: { 'router:alarm': z.object({ modelId: z.string(), reason: z.string() }) },
  passing: {
    /** Sent when a request has passed, and when its outcome was reported. */
    'router:decision': z.object({ decision: RouteDecision }),
    /** Sent after requests, at most every two seconds. */
    'router:stats': z.object({ stats: RouteStats }),
    /** Sent when a step of the gym agent was answered. */
    'router:step': z.object({ modelId: z.string().nullable(), failed: z.boolean() }),
  },
} satisfies MessageGroup
