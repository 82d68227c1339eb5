import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/routing.ts'
import type { createProxy } from './service.ts'

export const proxyRoutes = (proxy: ReturnType<typeof createProxy>): Implementation[] => [
  implement(routes.listRouteDecisions, ({ query: { cursor, limit } }) => proxy.decisions.list(cursor, limit)),
  implement(routes.getRouteStats, () => proxy.stats()),
  implement(routes.listShadowAnswers, ({ query: { cursor, limit } }) => proxy.shadow.list(cursor, limit)),
]
