import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, Limit, page, TraceId } from '../entities/common.ts'
import { AnalyticsBy, AnalyticsRow, Profile, ProfiledSession } from '../entities/profile.ts'
import { TraceFilter, TraceSort } from './traces.ts'

const route = routesOf('observability')
const params = z.object({ id: TraceId })

export const listProfiles = route.get('listProfiles', '/api/observability/traces', {
  summary: 'Sessions with where their time, tokens and money went, slowest first',
  query: TraceFilter.extend({ sort: TraceSort.default('-working'), cursor: Cursor, limit: Limit }),
  response: page(ProfiledSession),
  errors: ['filter_invalid'],
})
export const getProfile = route.get('getProfile', '/api/observability/traces/{id}', {
  summary: 'A session as spans, with what slowed it down',
  params,
  response: Profile,
  errors: ['trace_not_found'],
})
export const exportProfile = route.get('exportProfile', '/api/observability/traces/{id}/export', {
  summary: 'The spans of a session for another viewer: Chrome trace events (Perfetto) or OTLP JSON; secrets and personal data are replaced',
  params,
  query: z.object({ format: z.enum(['perfetto', 'otlp']) }),
  produces: 'application/json',
  errors: ['trace_not_found'],
})
export const getAnalytics = route.get('getAnalytics', '/api/observability/analytics', {
  summary: 'Time, tokens, cost and failures of many sessions by repository, model, tool or week; a fork counts with its whole conversation',
  query: z.object({ by: AnalyticsBy, q: TraceFilter.shape.q }),
  response: z.object({ items: z.array(AnalyticsRow), total: z.number().int().meta({ description: 'sessions of the filter' }) }),
  errors: ['filter_invalid'],
})
