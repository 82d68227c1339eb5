import { sandboxSession } from '#contracts/streams.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { checkRoutes } from './checks/routes.ts'
import { createChecks } from './checks/service.ts'
import { createToolchains, type ToolchainDeps } from './checks/toolchains.ts'
import { sandboxRoutes } from './routes.ts'
import { createSandboxes, type SandboxDeps } from './sandboxes/service.ts'

/** Sandboxes and the shells in them; the checks of projects. */
export function createArena(core: Core, deps: SandboxDeps & { tools: ToolchainDeps }) {
  const sandboxes = createSandboxes(core, deps)
  const checks = createChecks(sandboxes, createToolchains(deps.tools))
  const stage: Stage = {
    name: 'arena',
    routes: [...sandboxRoutes(sandboxes), ...checkRoutes(checks, core.jobs)],
    streams: [
      {
        kind: sandboxSession,
        open(id, from) {
          const [sandbox = '', session = '', window = null] = id.split('/')
          return sandboxes.screen(sandbox, session, window, from)
        },
      },
    ],
    forget: null, // what runs in a sandbox is no session of a client
    start: () => sandboxes.recover(),
    settings: [{ select: (settings) => settings.arena, act: () => sandboxes.limitsChanged() }],
    close: () => sandboxes.close(),
  }
  return { stage }
}
