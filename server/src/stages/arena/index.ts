import { sandboxSession } from '#contracts/streams.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import type { Git } from '#server/adapters/git/index.ts'
import type { SessionChanges } from './checks/restore/changes.job.ts'
import { checkRoutes, type CheckRouteDeps } from './checks/routes.ts'
import { createCheckResults } from './checks/results.ts'
import { createChecks } from './checks/service.ts'
import { createToolchains, type ToolchainDeps } from './checks/toolchains.ts'
import { sandboxRoutes } from './routes.ts'
import { createSandboxes, type SandboxDeps } from './sandboxes/service.ts'

const CHANGES_JOB = new URL('./checks/restore/changes.job.ts', import.meta.url)

interface ArenaDeps extends SandboxDeps {
  tools: ToolchainDeps
  git: Git
  traces: Pick<CheckRouteDeps, 'requireTrace' | 'idsOf' | 'projectOf'>
  /** Checks of a session have a new result: scores it again. Throws `trace_not_found`. */
  onVerified: (traceId: string, signal: AbortSignal) => Promise<void>
}

/** Sandboxes and the shells in them; the checks of projects. */
export function createArena(core: Core, deps: ArenaDeps) {
  const sandboxes = createSandboxes(core, deps)
  const results = createCheckResults(core)
  const checks = createChecks({
    sandboxes,
    toolchains: createToolchains(deps.tools),
    git: deps.git,
    changes: (traceId, signal) =>
      core.workers.run<SessionChanges | null>(
        CHANGES_JOB,
        { database: core.paths.database, archive: core.paths.archive, traceId },
        { lane: 'query', signal },
      ),
    folder: core.paths.restored,
    results,
    onResult: deps.onVerified,
  })
  const stage: Stage = {
    name: 'arena',
    routes: [
      ...sandboxRoutes(sandboxes),
      ...checkRoutes(checks, { ...deps.traces, jobs: core.jobs, places: () => sandboxes.capacity().limit }),
    ],
    streams: [
      {
        kind: sandboxSession,
        open(id, from) {
          const [sandbox = '', session = '', window = null] = id.split('/')
          return sandboxes.screen(sandbox, session, window, from)
        },
      },
    ],
    forget: results.forget,
    start() {
      checks.sweep()
      sandboxes.recover()
    },
    settings: [{ select: (settings) => settings.arena, act: () => sandboxes.limitsChanged() }],
    close: () => sandboxes.close(),
  }
  return { stage, verified: results.verified }
}
