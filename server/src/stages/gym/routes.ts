import { given } from '#server/given.ts'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { Devices } from '#server/adapters/gpu/index.ts'
import type { RunRequest, SavedPreset } from '#contracts/entities/run.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/training.ts'
import type { Queue } from '#server/runs/queue.ts'
import type { Planned } from './plan/plan.ts'
import type { RunService } from './service.ts'
import type { RunStore } from './store.ts'

export interface RouteDeps {
  service: RunService
  queue: Queue
  store: RunStore
  plan: (request: RunRequest, signal: AbortSignal) => Promise<Planned>
  dryRun: (request: RunRequest, signal: AbortSignal) => Promise<Job>
  devices: () => Promise<Devices>
}

/** Handlers of the training group, without the Python environment and base models. */
export function gymRoutes({ service, queue, store, plan, dryRun, devices }: RouteDeps): Implementation[] {
  const presets = () => ({ items: store.presets() as SavedPreset[] }) // written by savePreset
  return [
    implement(routes.planRun, async ({ body, signal }) => (await plan(body, signal)).plan),
    implement(routes.startRun, ({ body, signal }) => service.start(body, signal)),
    implement(routes.dryRun, ({ body, signal }) => dryRun(body, signal)),
    implement(routes.listRuns, ({ query }) => service.list(query)),
    implement(routes.getRun, ({ params }) => service.get(params.id)),
    implement(routes.patchRun, ({ params, body }) => service.patch(params.id, body)),
    implement(routes.deleteRun, ({ params }) => service.remove(params.id)),
    implement(routes.pauseRun, ({ params }) => service.pause(params.id)),
    implement(routes.resumeRun, ({ params }) => service.resume(params.id)),
    implement(routes.cancelRun, ({ params, body }) => service.cancel(params.id, body.keepCheckpoint)),
    implement(routes.getQueue, () => queue.state()),
    implement(routes.patchQueue, ({ body }) => queue.patch(given(body))),
    implement(routes.getRunMetrics, ({ params, query }) => service.metrics(params.id, query)),
    implement(routes.getRunSystem, ({ params, query }) => service.system(params.id, query.points)),
    implement(routes.getRunSamples, ({ params, query }) => service.samples(params.id, query)),
    implement(routes.getRunCheckpoints, ({ params }) => service.checkpoints(params.id)),
    implement(routes.getRunLogs, ({ params, query, signal }) =>
      query.follow ? service.followLogs(params.id, query, signal) : service.logs(params.id, query),
    ),
    implement(routes.getTrainingDevices, devices),
    implement(routes.listPresets, presets),
    implement(routes.savePreset, ({ body }) => {
      store.putPreset(body.name, body.request)
      return body
    }),
    implement(routes.deletePreset, ({ params }) => {
      if (!store.dropPreset(params.name)) throw new AppError('not_found', { message: `There is no preset "${params.name}".` })
      return presets()
    }),
  ]
}
