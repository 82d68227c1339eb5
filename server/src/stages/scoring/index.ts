import type { Core } from '#server/core.ts'
import { Closing } from '#server/jobs/stops.ts'
import type { Stage } from '../stage.ts'
import type { ScoringOptions } from './options.ts'
import { createCommandOverrides } from './command-overrides.ts'
import { createCommandVerdicts, type VerdictDeps } from './command-verdicts.ts'
import { scoringRoutes } from './routes.ts'
import { createScoringService, type ScoringDeps } from './service.ts'

export type { PolicyScore, ScoringDeps } from './service.ts'
export type { CommandOverrides, ScoringOptions, VerifiedResult } from './options.ts'
export { SCORE_VERSION } from './version.ts'
export { looksLikeStepsFile, parseSteps } from './steps-file.ts'
export { scoreSource } from './score-file.ts'
export { isTestCommand } from './is-test-command.ts'
export { readCommand } from './shell/read-command.ts'

/** Scores with their evidence, and tiers by policy. */
export function createScoring(core: Core, deps: ScoringDeps & VerdictDeps) {
  const service = createScoringService(core, deps)
  const overrides = createCommandOverrides(core)
  const verdicts = createCommandVerdicts(core, deps, service, overrides)
  const closing = new AbortController()
  const applySettings = () =>
    service
      .applyPolicy({ signal: closing.signal })
      .catch((error: unknown) => core.log.error({ err: error }, 'Tiers could not be updated to match the settings'))
  const stage: Stage = {
    name: 'scoring',
    routes: scoringRoutes(service, verdicts, core.jobs),
    forget: null, // scores are deleted with the row of their session
    /** Finishes a rule change that was interrupted when the server was killed. */
    start: () => {
      verdicts.catchUp()
      void applySettings()
    },
    async close(): Promise<void> {
      closing.abort(new Closing())
      await service.idle()
    },
    settings: [{ select: ({ scoring: { policy, thresholds } }) => ({ policy, thresholds }), onChange: () => void applySettings() }],
  }
  return {
    stage,
    /** Resolves when all tiers match the settings (for tests). */
    settle: service.idle,
    onDerived: service.onDerived,
    getScore: service.getScore,
    onCheckResultChanged: service.onCheckResultChanged,
    /** Scoring for the derive job. */
    analyser: {
      name: 'scoring',
      url: new URL('./analyser.ts', import.meta.url).href,
      options: (traceId: string | null): ScoringOptions => ({
        verificationCommands: deps.settings().verificationCommands,
        commandOverrides: overrides.list(),
        verified: traceId === null ? null : deps.verified(traceId),
      }),
    },
  }
}
