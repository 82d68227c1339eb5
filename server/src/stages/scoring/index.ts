import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import type { ScoringOptions } from './options.ts'
import { createCommandOverrides } from './command-overrides.ts'
import { createCommandVerdicts, type VerdictDeps } from './command-verdicts.ts'
import { scoringRoutes } from './routes.ts'
import { createScoringService, type ScoringDeps } from './service.ts'

export type { PolicyScore, ScoringDeps } from './service.ts'
export type { CommandOverrides, ScoringOptions, Verified } from './options.ts'
export { SCORE_VERSION } from './version.ts'
export { looksLikeStepsFile } from './steps-file.ts'
export { scoreSource } from './score-file.ts'
export { isTestCommand } from './is-test-command.ts'
export { readCommand } from './shell/read-command.ts'

/** Scores with their evidence, policies over them, and the routes of both. */
export function createScoring(core: Core, deps: ScoringDeps & VerdictDeps) {
  const service = createScoringService(core, deps)
  const overrides = createCommandOverrides(core)
  const verdicts = createCommandVerdicts(core, deps, service, overrides)
  const closing = new AbortController()
  const bringInLine = () =>
    service
      .applyPolicy({ signal: closing.signal })
      .catch((error: unknown) => core.log.error({ err: error }, 'Tiers could not be brought in line with the settings'))
  const stage: Stage = {
    name: 'scoring',
    routes: scoringRoutes(service, verdicts, core.jobs),
    forget: null, // scores go with the row of their session
    /** Finishes a change of rules that a kill interrupted. */
    start: () => {
      verdicts.catchUp()
      void bringInLine()
    },
    async close(): Promise<void> {
      closing.abort(new DOMException('The server is stopping.', 'AbortError'))
      await service.idle()
    },
    settings: [{ select: ({ scoring: { policy, thresholds } }) => ({ policy, thresholds }), onChange: () => void bringInLine() }],
  }
  return {
    stage,
    /** Resolves when all tiers follow the settings (tests). */
    settle: service.idle,
    onDerived: service.onDerived,
    getScore: service.getScore,
    verifiedAnew: service.verifiedAnew,
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
