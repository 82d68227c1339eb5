import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import { Job } from '../entities/job.ts'

const route = routesOf('jobs')

export const listJobs = route.get('listJobs', '/api/jobs', {
  summary: 'Jobs, newest first',
  query: z.object({
    kind: z.string().max(40).optional(),
    subject: z.string().max(100).optional().meta({ description: 'id of what the job works on' }),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(Job),
})
export const getJob = route.get('getJob', '/api/jobs/{id}', {
  summary: 'One job',
  params: z.object({ id: z.string() }),
  query: z.object({
    waitMs: z.coerce
      .number()
      .int()
      .min(0)
      .max(30_000)
      .default(0)
      .meta({ description: 'respond when the job has ended, or after this time' }),
  }),
  response: Job,
  errors: ['job_not_found'],
})
export const cancelJob = route.post('cancelJob', '/api/jobs/{id}/cancel', {
  summary: 'Cancel a job; it ends within a second and leaves no partial result',
  params: z.object({ id: z.string() }),
  body: z.object({}),
  response: Job,
  errors: ['job_not_found', 'job_not_cancellable'],
})
