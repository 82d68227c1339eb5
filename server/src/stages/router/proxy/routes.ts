import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/routing.ts'
import type { createShadow } from './shadow.ts'
import type { createDecisions } from './store.ts'

interface Parts {
  decisions: Pick<ReturnType<typeof createDecisions>, 'list'>
  shadow: Pick<ReturnType<typeof createShadow>, 'list'>
}

export const proxyRoutes = ({ decisions, shadow }: Parts): Implementation[] => [
  implement(routes.listRouteDecisions, ({ query: { cursor, limit, ...filter } }) => decisions.list(cursor, limit, filter)),
  implement(routes.listShadowAnswers, ({ query: { cursor, limit } }) => shadow.list(cursor, limit)),
]
