import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/routing.ts'
import type { createRouting } from './service.ts'

export const routingRoutes = (routing: ReturnType<typeof createRouting>): Implementation[] => [
  implement(routes.getRouting, () => routing.status()),
  implement(routes.routePrompt, ({ body }) => routing.decide(body)),
  implement(routes.reportRouteOutcomes, ({ body }) => routing.report(body)),
  implement(routes.endRouteAlarm, () => routing.endAlarm()),
]
