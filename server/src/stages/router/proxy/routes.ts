import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { RouteStats } from '#contracts/entities/routing.ts'
import * as routes from '#contracts/routes/routing.ts'
import type { createProxy } from './service.ts'

export const proxyRoutes = (proxy: ReturnType<typeof createProxy>, mod: () => RouteStats['mod']): Implementation[] => [
  implement(routes.listRouteDecisions, ({ query: { cursor, limit } }) => proxy.decisions.list(cursor, limit)),
  implement(routes.getRouteStats, () => ({ ...proxy.stats(), mod: mod() })),
]
