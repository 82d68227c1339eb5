import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/routing.ts'
import type { createProxy } from './service.ts'

export const proxyRoutes = ({ decisions, shadow, stats }: ReturnType<typeof createProxy>): Implementation[] => [
  implement(routes.listRouteDecisions, ({ query: { cursor, limit } }) => decisions.list(cursor, limit)),
  implement(routes.getRouteStats, () => stats()),
  implement(routes.listShadowAnswers, ({ query: { cursor, limit } }) => shadow.list(cursor, limit)),
]
