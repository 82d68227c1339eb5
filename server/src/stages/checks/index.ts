import type { CheckReport } from '#contracts/entities/check.ts'
import { AppError } from '#contracts/errors.ts'
import type { Git } from '#server/adapters/git/index.ts'
import type { Core } from '#server/core.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import type { Stage } from '../stage.ts'
import type { SessionChanges } from './restore/changes.job.ts'
import { createCheckResults } from './results.ts'
import { checkRoutes, type CheckRouteDeps } from './routes.ts'
import { createChecks } from './service.ts'
import { storedPlaces } from './stored-places.ts'
import { createToolchains, type ToolchainDeps } from './toolchains.ts'

const CHANGES_JOB = new URL('./restore/changes.job.ts', import.meta.url)

export { ENVIRONMENTS, type ProjectFacts, readFacts } from './facts.ts'
export { copyFolder, packFiles, packFolder, type TarFile } from './pack.ts'
export { beginningOf } from './restore/restore.ts'
export { kindOf as checkKindOf } from './change/check-files.ts'
export { type Checks, NOT_COMPARED, type SessionWork } from './service.ts'
export { isReadableInSandbox, type Toolchains } from './toolchains.ts'

export interface CheckStageDeps {
  sandboxes: Sandboxes
  tools: ToolchainDeps
  git: Git
  traces: Pick<CheckRouteDeps, 'requireTrace' | 'idsOf' | 'projectOf'> & { callsOf: (traceId: string) => number }
  /** Scores a session again after its checks have a new result. Throws `trace_not_found`. */
  onVerified: (traceId: string, signal: AbortSignal) => Promise<void>
}

/** A project's own checks, run on copies in sandboxes, and what they say about sessions. */
export function createCheckStage(core: Core, { sandboxes, tools, git, traces, onVerified }: CheckStageDeps) {
  const results = createCheckResults(core)
  const toolchains = createToolchains(tools)
  const { database, archive } = core.paths
  const checks = createChecks({
    sandboxes,
    toolchains,
    git,
    changes: (traceId, signal) =>
      core.workers.run<SessionChanges | null>(CHANGES_JOB, { database, archive, traceId }, { lane: 'query', signal }),
    folder: core.paths.restored,
    results,
    onResult: onVerified,
  })
  /** The result of an agent run's checks becomes the verification of its session. */
  const verifySession = async (taskId: string, traceId: string, report: CheckReport, signal: AbortSignal) => {
    try {
      results.keep(traceId, report, traces.callsOf(traceId), taskId)
      await onVerified(traceId, signal)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'trace_not_found') throw error // the user has deleted the session in the meantime
    }
  }
  const stage: Stage = {
    name: 'checks',
    routes: checkRoutes(checks, { ...traces, jobs: core.jobs, sandboxLimit: () => sandboxes.capacity().limit }),
    stored: storedPlaces(traces),
    forget: results.forget,
    start: () => checks.sweep(),
  }
  return { stage, checks, toolchains, verifySession, verified: results.verified }
}
