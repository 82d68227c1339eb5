import {
  getCapture,
  importSamples,
  leaveOutProject,
  listImports,
  removeSamples,
  scanHistory,
  startImport,
} from '#contracts/routes/capture.ts'
import { implement } from '#contracts/derive/route.ts'
import type { Core } from '#server/core.ts'
import type { Capture } from './service.ts'

export const captureRoutes = ({ jobs }: Core, capture: Capture) => [
  implement(getCapture, () => capture.status()),
  implement(scanHistory, () => capture.scan()),
  implement(leaveOutProject, async ({ body }) => ({ removed: await capture.excludeProject(body.cwd) })),
  implement(startImport, ({ body }) => capture.startImport(body)),
  implement(listImports, ({ query }) =>
    jobs.list({ kinds: ['import', 'samples'], limit: query.limit, ...(query.cursor !== undefined && { cursor: query.cursor }) }),
  ),
  implement(importSamples, () => capture.startSamples()),
  implement(removeSamples, async () => ({ removed: await capture.removeSamples() })),
]
