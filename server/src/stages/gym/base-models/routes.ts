import path from 'node:path'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { ComputeDevice } from '#contracts/entities/run.ts'
import * as routes from '#contracts/routes/base-models.ts'
import type { Endpoint } from '#server/adapters/hub/index.ts'
import { DEFAULT_BASE_MODEL } from '#server/config.ts'
import type { Core } from '#server/core.ts'
import { createDownloads } from './downloads.ts'
import type { ModelPlaces } from './find.ts'
import { listBaseModels } from './list.ts'
import { lookUp } from './look-up.ts'
import { recommendedModels } from './recommended.ts'
import { suggestModel } from './suggest.ts'
import { createWritesCalls } from './writes-calls.ts'

export interface BaseModelDeps {
  /** The hub of the downloads, and their cache folder. `open` throws `hub_not_set_up`. */
  hub: { open: () => Endpoint; folder: () => string }
  places: () => ModelPlaces
  devices: () => Promise<{ items: ComputeDevice[] }>
  /** The base model of the newest run; null if there is no run. */
  newestBaseModel: () => string | null
}

/** Handlers that list, recommend and download base models. */
export function baseModelRoutes(
  { jobs, config, workers }: Pick<Core, 'jobs' | 'config' | 'workers'>,
  { hub, places, devices, newestBaseModel }: BaseModelDeps,
): Implementation[] {
  const downloads = createDownloads({ jobs, endpoint: hub.open, folder: hub.folder, folders: () => places().hubCaches })
  const writesCalls = createWritesCalls(workers)
  const firstDevice = async () => (await devices()).items[0] ?? null
  return [
    implement(routes.listBaseModels, async ({ query }) => {
      const device = await firstDevice()
      const items = await listBaseModels(places(), device, writesCalls, query.q)
      const isHere = (id: string) => items.some((one) => one.id === id && one.problem === null)
      return {
        items,
        recommended: recommendedModels(device, { wanted: config.baseModel, isChosen: config.baseModel !== DEFAULT_BASE_MODEL }, isHere),
        wanted: config.baseModel,
        suggested: suggestModel(items, { newestBaseModel: newestBaseModel(), wanted: config.baseModel, device }),
      }
    }),
    implement(routes.lookUpBaseModel, async ({ body: { id, ref }, signal }) =>
      lookUp({ endpoint: hub.open(), id, ref, folder: path.normalize(hub.folder()), device: await firstDevice(), writesCalls, signal }),
    ),
    implement(routes.downloadBaseModel, ({ body }) => downloads.start(body)),
    implement(routes.listBaseModelDownloads, async () => ({ items: await downloads.list() })),
    implement(routes.discardBaseModelDownload, ({ body }) => downloads.discard(body.id)),
  ]
}
