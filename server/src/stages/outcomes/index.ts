import { implement } from '#contracts/derive/route.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/outcomes.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { createOutcomes, type OutcomeDeps } from './service.ts'

const JOB = 'outcomes'
/** Sessions whose outcome can still change. */
const UNDECIDED = 'is:ended has:commit -outcome:kept,corrected age:<365d'

export interface OutcomeStageDeps extends OutcomeDeps {
  /** Throws `trace_not_found`. */
  requireTrace: (traceId: string) => void
  settings: () => Settings['scoring']
}

/** What happened after sessions: facts beside the score, never in it. */
export function createOutcomeStage(core: Core, deps: OutcomeStageDeps): { stage: Stage } {
  const outcomes = createOutcomes(core, deps)
  const start = (ids: () => Promise<string[]>, days: number) =>
    core.jobs.start(JOB, async (context) => outcomes.lookUp(await ids(), days, context), { single: true })
  let unfollow = () => {}
  const stage: Stage = {
    name: 'outcomes',
    routes: [
      implement(routes.getTraceOutcome, ({ params }) => {
        deps.requireTrace(params.id)
        return { outcome: outcomes.get(params.id) }
      }),
      implement(routes.lookUpOutcomes, ({ body: { selection, days } }) =>
        start(async () => ('ids' in selection ? selection.ids : deps.lists.ids(selection.filter)), days ?? deps.settings().outcomeDays),
      ),
    ],
    forget: outcomes.forget,
    start({ watch }): void {
      if (!watch) return
      unfollow = core.events.subscribe(({ type, payload }) => {
        if (type !== 'job:complete' || payload.job.kind !== 'import' || !deps.settings().outcomesAfterImports) return
        try {
          start(() => deps.lists.ids({ q: UNDECIDED }), deps.settings().outcomeDays)
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'job_running')) throw error // the next import looks again
        }
      })
    },
    stop: () => unfollow(),
  }
  return { stage }
}
