import { implement } from '#contracts/derive/route.ts'
import { getStepCommands, listCommandOverrides, removeCommandOverride, setCommandOverride } from '#contracts/routes/command-overrides.ts'
import { previewScoring, startRescore } from '#contracts/routes/scoring.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { CommandVerdicts } from './command-verdicts.ts'
import type { ScoringService } from './service.ts'

export const scoringRoutes = (service: ScoringService, verdicts: CommandVerdicts, jobs: Jobs) => [
  implement(listCommandOverrides, () => ({ items: verdicts.list() })),
  implement(getStepCommands, ({ params, body }) => verdicts.commandsOf(params.id, body.command, body.cwd)),
  implement(setCommandOverride, ({ body, signal }) => verdicts.set(body, signal)),
  implement(removeCommandOverride, ({ params, query, signal }) => verdicts.remove(params.id, query.traceId, signal)),
  implement(previewScoring, ({ body: { policy, thresholds }, signal }) =>
    service.preview({ ...(policy && { policy }), ...(thresholds && { thresholds }) }, signal),
  ),
  implement(startRescore, ({ body }) => jobs.start('rescore', (context) => service.rescore(body, context), { single: true })),
]
