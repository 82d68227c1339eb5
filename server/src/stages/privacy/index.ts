import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { scanOnEvents } from './on-events.ts'
import { privacyRoutes } from './routes.ts'
import { createPrivacyService, type PrivacyDeps } from './service.ts'

export type { PrivacyDeps } from './service.ts'
export { redactText } from './redact.ts'
export { openGate } from './gate.ts'
export type { ClearContext, Cleared, Gate, GateInput } from './gate.ts'
export type { RunRedaction, RunRedactionOptions } from './run-redaction.ts'
export { NO_DECISIONS } from './decisions.ts'
export type { ActiveDecisions } from './decisions.ts'
export { canaries, canaryRows } from './canaries.ts'
export { residualScan, withSurvivors } from './residual.ts'

/** Findings of personal data and secrets in the archive, decisions on them, the gate, and statistics with noise. */
export function createPrivacy(core: Core, deps: PrivacyDeps) {
  const service = createPrivacyService(core, deps)
  const unsubscribe = scanOnEvents(core, service)
  const stage: Stage = {
    name: 'privacy',
    routes: privacyRoutes(service),
    forget: (traceId) => service.forget(traceId),
    /** Starts a background scan of outstanding sessions. */
    start: service.wake,
    async close(): Promise<void> {
      unsubscribe()
      await service.close()
    },
    startAgain: { 'privacy-decision': (id) => service.decideAgain(id) },
    settings: [{ select: ({ privacy }) => privacy, onChange: () => service.policyChanged() }],
  }
  return {
    stage,
    gateInput: service.gateInput,
    openRun: service.openRun,
    clearRequest: (...request: Parameters<typeof service.clearRequest>) => service.clearRequest(...request),
    clearText: (...text: Parameters<typeof service.clearText>) => service.clearText(...text),
    /** What the policy looks for in a text. */
    findingsIn: async (text: string, signal: AbortSignal) => (await service.preview(text, undefined, signal)).findings,
    replacedPlaces: (...asked: Parameters<typeof service.replacedPlaces>) => service.replacedPlaces(...asked),
    policyHash: service.policyHash,
    reviewKey: service.reviewKey,
    /** Resolves when nothing is outstanding (for tests). */
    settle: service.settle,
  }
}
