import { z } from 'zod'
import { RouteDecision } from '../entities/routing.ts'
import type { MessageGroup } from './group.ts'

export const routerMessages = {
  durable: {},
  /** Sent when a request has passed. */
  passing: { 'router:decision': z.object({ decision: RouteDecision }) },
} satisfies MessageGroup
