import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { routingRoutes } from './routing/routes.ts'
import { createRouting, type RoutingDeps } from './routing/service.ts'

/** Whether a piece of work goes to the user's own model, as far as an exam proves it. */
export const createRouterStage = (core: Core, deps: RoutingDeps): { stage: Stage } => ({
  stage: { name: 'router', routes: routingRoutes(createRouting(core, deps)), forget: null },
})
