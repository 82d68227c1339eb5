import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/routing.ts'
import type { createDecisions } from './store.ts'

export const proxyRoutes = (decisions: Pick<ReturnType<typeof createDecisions>, 'list'>): Implementation[] => [
  implement(routes.listRouteDecisions, ({ query: { cursor, limit, ...filter } }) => decisions.list(cursor, limit, filter)),
]
