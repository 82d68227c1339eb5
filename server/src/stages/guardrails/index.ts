import type { GuardProfile, GuardVerdict } from '#contracts/entities/guardrail.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { evaluateWithTimeLimit } from './evaluate.ts'
import { createInstalled, type InstalledDeps } from './installed/service.ts'
import { requireCheckableLength } from './length.ts'
import { onSessions } from './on-events.ts'
import { guardrailsRoutes } from './routes.ts'
import { createGuardrailsService, type GuardrailsDeps } from './service.ts'

export type { GuardPolicy } from './engine.ts'
export { guardFile } from './client/service.ts'
export type { CheckOptions, PassedResults, GuardrailsDeps } from './service.ts'
export { findInResult, type ResultFinding, type ResultOptions } from './text/tool-result.ts'

/** Checks shell commands and texts, and lists those that it warned about or blocked. */
export function createGuardrails(core: Core, deps: GuardrailsDeps & { installed: Omit<InstalledDeps, 'redact'> }) {
  const service = createGuardrailsService(core, deps)
  let follows = false
  const wake = () => {
    if (follows) service.wake()
  }
  const unsubscribe = onSessions(core, wake)
  const stage: Stage = {
    name: 'guardrails',
    routes: guardrailsRoutes(service, createInstalled(core, { ...deps.installed, redact: deps.redact })),
    forget: service.forget,
    start({ watch }) {
      follows = watch
      wake()
      if (watch) service.clientGuard.start()
    },
    async close(): Promise<void> {
      unsubscribe()
      await service.clientGuard.close()
      await service.close()
    },
    settings: [
      { select: (settings) => settings.guardrails, onChange: wake },
      {
        select: ({ guardrails: { client, clientUnchecked, rules } }) => [client, clientUnchecked, client === 'off' ? [] : rules],
        onChange: () => void service.clientGuard.follow(),
      },
    ],
  }
  return {
    stage,
    check: (...input: Parameters<typeof service.check>) => service.check(...input),
    clientGuard: () => service.clientGuard.report(),
    redacted: (...input: Parameters<typeof service.redacted>) => service.redacted(...input),
    passedResults: service.passedResults,
    policyOf: (...input: Parameters<typeof service.policyOf>) => service.policyOf(...input),
  }
}

/** Checks a command without a data directory. Throws `payload_too_large`. */
export function evaluateCommand(command: string, profile: GuardProfile, cwd: string): GuardVerdict {
  requireCheckableLength(command)
  return evaluateWithTimeLimit(command, profile, cwd)
}
