import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { RouteDecision } from '#contracts/entities/routing.ts'
import * as routes from '#contracts/routes/routing.ts'
import type { createRouting } from './service.ts'

/** `reportOne`: keeps how one answer went. */
export const routingRoutes = (
  routing: ReturnType<typeof createRouting>,
  reportOne: (decisionId: string, successRate: number) => RouteDecision,
): Implementation[] => [
  implement(routes.getRouting, () => routing.status()),
  implement(routes.routePrompt, ({ body }) => routing.decide(body)),
  implement(routes.reportRouteOutcomes, ({ body }) =>
    'decisionId' in body ? routing.reported(reportOne(body.decisionId, body.successRate)) : routing.reportBatch(body),
  ),
  implement(routes.endRouteAlarm, () => routing.endAlarm()),
]
