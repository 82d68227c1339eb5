import { sandboxSession } from '#contracts/streams.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { sandboxRoutes } from './routes.ts'
import { createSandboxes, type SandboxDeps } from './sandboxes/service.ts'

/** Sandboxes and the shells in them. */
export function createArena(core: Core, deps: SandboxDeps) {
  const sandboxes = createSandboxes(core, deps)
  const stage: Stage = {
    name: 'arena',
    routes: sandboxRoutes(sandboxes),
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
