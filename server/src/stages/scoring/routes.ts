import { implement } from '#contracts/derive/route.ts'
import { previewScoring, startRescore } from '#contracts/routes/scoring.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { ScoringService } from './service.ts'

export const scoringRoutes = (service: ScoringService, jobs: Jobs) => [
  implement(previewScoring, ({ body: { policy, thresholds }, signal }) =>
    service.preview({ ...(policy && { policy }), ...(thresholds && { thresholds }) }, signal),
  ),
  implement(startRescore, ({ body }) => jobs.start('rescore', (context) => service.rescore(body, context), { single: true })),
]
