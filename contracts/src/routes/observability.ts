import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import { AnalyticsBy, AnalyticsRow, Profile, ProfiledSession, ProfileId } from '../entities/profile.ts'
import { NewSpan, Telemetry } from '../entities/telemetry.ts'
import { TraceFilter, TraceSort } from './traces.ts'

const route = routesOf('observability')
const params = z.object({ id: ProfileId })

export const listProfiles = route.get('listProfiles', '/api/observability/traces', {
  summary:
    'Sessions with where their time, tokens and money went, slowest first; or what was recorded of runs and other programs, newest first',
  query: TraceFilter.extend({
    of: z.enum(['sessions', 'recorded']).default('sessions').meta({ description: '`recorded` takes no filter and no `sort`' }),
    sort: TraceSort.default('-working'),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(ProfiledSession),
  errors: ['filter_invalid'],
})
export const getProfile = route.get('getProfile', '/api/observability/traces/{id}', {
  summary: 'A session or a recorded trace as spans, with what slowed it down',
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

export const addSpans = route.post('addSpans', '/api/observability/spans', {
  summary: 'Stores spans of another program, such as the Python profiler. A span that has come before is not stored again',
  body: z.object({ spans: z.array(NewSpan).min(1).max(1000) }),
  response: z.object({ stored: z.number().int(), repeated: z.number().int() }),
})
export const getTelemetry = route.get('getTelemetry', '/api/observability/telemetry', {
  summary: 'Where telemetry comes in, where spans are sent, and how that goes',
  response: Telemetry,
})
export const sendTrace = route.post('sendTrace', '/api/observability/traces/{id}/send', {
  summary: 'Sends the spans of a session or recorded trace to the collectors of the settings, with secrets and personal data replaced',
  params,
  response: z.object({ collectors: z.number().int().meta({ description: 'that it waits to be sent to' }) }),
  status: 202,
  errors: ['trace_not_found', 'telemetry_not_set_up'],
})
