import { sandboxSession } from '#contracts/streams.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { sandboxRoutes } from './routes.ts'
import { createSandboxes, type SandboxDeps } from './service.ts'

export { limitsOf } from './engines.ts'
export { folderInside, HOST_PLACE, IMAGE_ENGINE, type Place, placeOf } from './place.ts'
export { readText } from './read-text.ts'
export type { Sandboxes } from './service.ts'
export { DEFAULT_SIZE } from './session.ts'

/** Sandboxes: their queue, limits, files and snapshots, the shells in them, and commands of their own. */
export function createSandboxStage(core: Core, deps: SandboxDeps) {
  const sandboxes = createSandboxes(core, deps)
  const stage: Stage = {
    name: 'sandboxes',
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
    forget: null,
    start: () => sandboxes.recover(),
    settings: [{ select: (settings) => settings.arena, onChange: sandboxes.limitsChanged }],
    close: () => sandboxes.close(),
  }
  return { stage, sandboxes }
}
