import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Job } from '../entities/job.ts'
import { Policy, RescorePreview, Thresholds } from '../entities/score.ts'

const route = routesOf('scoring')
const Proposal = z.object({ policy: Policy.optional(), thresholds: Thresholds.optional() })

export const previewScoring = route.post('previewScoring', '/api/scoring/preview', {
  summary: 'How many traces another policy or other thresholds would move; nothing is written',
  body: Proposal,
  response: RescorePreview,
})

/** With `dryRun` the job only counts. Otherwise it recomputes metrics of an older scoreVersion from the archive and stores tiers. */
export const startRescore = route.post('startRescore', '/api/scoring/rescore', {
  summary: 'Score again; `result` of the job is a RescorePreview',
  status: 202,
  body: z.object({ policy: Policy.optional(), dryRun: z.boolean().default(false) }),
  response: Job,
  errors: ['job_running'],
})
