import { z } from 'zod'
import { RouteDecision } from '../entities/routing.ts'
import type { MessageGroup } from './group.ts'

export const routerMessages = {
  /** The share of a model was taken back because its results fell. */
  durable: { 'router:alarm': z.object({ modelId: z.string(), reason: z.string() }) },
  /** Sent when a request has passed. */
  passing: { 'router:decision': z.object({ decision: RouteDecision }) },
} satisfies MessageGroup
