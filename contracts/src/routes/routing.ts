import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import {
  Generated,
  GenerateRequest,
  RouteDecision,
  RouteDecisionFilter,
  RouteReport,
  RouteRequest,
  RouteStats,
  Routing,
  ShadowAnswer,
  ShadowVerdict,
} from '../entities/routing.ts'

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
export const generate = route.post('generate', '/api/router/generate', {
  summary:
    'Answer a prompt by the model that the router decides for: the student as far as it is proven, otherwise the provider of Settings',
  body: GenerateRequest,
  response: Generated,
  errors: ['provider_unavailable', 'teacher_failed'],
})
export const reportRouteOutcomes = route.post('reportRouteOutcomes', '/api/router/outcomes', {
  summary:
    'Report how one answer went, or a measured batch of at least 20 answers of the student, by which the strategy progressive changes its share',
  body: RouteReport,
  response: Routing,
  errors: ['model_not_found', 'route_decision_not_found'],
})
export const endRouteAlarm = route.post('endRouteAlarm', '/api/router/alarm/end', {
  summary: 'Let the student work again after its share was taken back; only later results count',
  body: z.object({}),
  response: Routing,
})
export const listRouteDecisions = route.get('listRouteDecisions', '/api/router/decisions', {
  summary: 'Requests that passed the router, the newest first, with their outcomes',
  query: RouteDecisionFilter.extend({ cursor: Cursor, limit: Limit }),
  response: page(RouteDecision),
})
export const getRouteStats = route.get('getRouteStats', '/api/router/stats', {
  summary: 'Figures of the requests that passed the router; null where none was measured',
  response: RouteStats,
})
export const listShadowAnswers = route.get('listShadowAnswers', '/api/router/shadow', {
  summary: 'What the student would have answered to steps that Claude had answered, the newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(ShadowAnswer),
})
export const decideShadowAnswer = route.put('decideShadowAnswer', '/api/router/shadow/{id}/verdict', {
  summary: "Say whether the student's answer is better than Claude's, worse, or the same; null takes it back. It changes no share",
  params: z.object({ id: z.string().regex(/^[1-9]\d{0,14}$/) }),
  body: z.object({ verdict: ShadowVerdict.nullable() }),
  response: ShadowAnswer,
  errors: ['not_found'],
})
