import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { TraceId } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import { Outcome } from '../entities/outcome.ts'
import { Selection } from './traces.ts'

const route = routesOf('outcomes')

export const getTraceOutcome = route.get('getTraceOutcome', '/api/traces/{id}/outcome', {
  summary: 'What happened after a session, as far as it was looked up; null if it was not',
  params: z.object({ id: TraceId }),
  response: z.object({ outcome: Outcome.nullable() }),
  errors: ['trace_not_found'],
})
export const lookUpOutcomes = route.post('lookUpOutcomes', '/api/traces/outcomes', {
  summary: 'Read the repositories of sessions and look up whether their commits stayed; the result of the job is an OutcomeReport',
  status: 202,
  body: z.object({ selection: Selection, days: z.number().int().min(1).max(365).optional().meta({ description: 'default: the setting' }) }),
  response: Job,
  stored: 'sessions',
  errors: ['filter_invalid', 'job_running', 'confirmation_required'],
})
