import { routesOf } from '../derive/route.ts'
import { RouteDecision, RouteReport, RouteRequest, Routing } from '../entities/routing.ts'

const route = routesOf('router')

export const getRouting = route.get('getRouting', '/api/router/routing', {
  summary: 'The strategy, the student, what proves it, and the share of conversations that would go to it',
  response: Routing,
})
export const routePrompt = route.post('routePrompt', '/api/router/route', {
  summary: 'Where a conversation that begins with this prompt would go, and why; nothing is sent or stored',
  body: RouteRequest,
  response: RouteDecision,
})
export const reportRouteOutcomes = route.post('reportRouteOutcomes', '/api/router/outcomes', {
  summary: 'Report how a measured batch of at least 20 answers of the student went; the strategy progressive changes its share by it',
  body: RouteReport,
  response: Routing,
})
