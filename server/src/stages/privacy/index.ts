import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { follow } from './on-events.ts'
import { privacyRoutes } from './routes.ts'
import { createPrivacyService, type PrivacyDeps } from './service.ts'

export type { PrivacyDeps } from './service.ts'
export { redactText } from './redact.ts'
export { openGate } from './gate.ts'
export type { ClearContext, Cleared, Gate, GateInput } from './gate.ts'
export { NO_DECISIONS } from './decisions.ts'
export type { ActiveDecisions } from './decisions.ts'
export { canaries, canaryRows } from './canaries.ts'
export { residualScan, withSurvivors } from './residual.ts'

/** Personal data and secrets: findings in the archive, decisions about them, the gate, statistics with noise. */
export function createPrivacy(core: Core, deps: PrivacyDeps) {
  const service = createPrivacyService(core, deps)
  const unfollow = follow(core, service)
  const stage: Stage = {
    name: 'privacy',
    routes: privacyRoutes(service),
    forget: (traceId) => service.forget(traceId),
    /** Scans what is outstanding soon, in the background. */
    start: service.wake,
    async close(): Promise<void> {
      unfollow()
      await service.close()
    },
    settings: [{ select: ({ privacy }) => privacy, onChange: () => service.policyChanged() }],
  }
  return {
    stage,
    gateInput: service.gateInput,
    clearRequest: (...asked: Parameters<typeof service.clearRequest>) => service.clearRequest(...asked),
    policyHash: service.policyHash,
    reviewKey: service.reviewKey,
    /** Resolves when nothing is outstanding (tests). */
    settle: service.settle,
  }
}
