import { z } from 'zod'
import { route } from '../derive/route.ts'
import { Job } from '../entities/job.ts'
import { Policy, RescorePreview, Thresholds } from '../entities/score.ts'

const group = 'scoring'
const Proposal = z.object({ policy: Policy.optional(), thresholds: Thresholds.optional() })

export const previewScoring = route({
  name: 'previewScoring',
  group,
  method: 'post',
  path: '/api/scoring/preview',
  summary: 'How many traces another policy or other thresholds would move; nothing is written',
  body: Proposal,
  response: RescorePreview,
  errors: [],
})

/** With `dryRun` the job only counts; without, metrics of an older scoreVersion are made again from the archive and tiers are written. */
export const startRescore = route({
  name: 'startRescore',
  group,
  method: 'post',
  path: '/api/scoring/rescore',
  summary: 'Score again; `result` of the job is a RescorePreview',
  status: 202,
  body: z.object({ policy: Policy.optional(), dryRun: z.boolean().default(false) }),
  response: Job,
  errors: ['job_running'],
})
