import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { BaseModel, BaseModelDownload, HubId, HubModel, HubRef, HubRevision, HubStatus, RecommendedModel } from '../entities/base-model.ts'
import { Secret } from '../entities/common.ts'
import { ASKS_HUB } from '../errors/training.ts'
import { Job } from '../entities/job.ts'

const route = routesOf('training')
const token = { response: HubStatus, errors: ['settings_read_only', 'confirmation_required'] } as const

export const listBaseModels = route.get('listBaseModels', '/api/training/base-models', {
  summary: 'Base models on this machine, recommended models to download, and whether they fit',
  query: z.object({ q: z.string().max(200).optional() }),
  response: z.object({
    items: z.array(BaseModel),
    recommended: z.array(RecommendedModel).meta({ description: 'not on this machine; models that fit come first' }),
    wanted: z.string().meta({ description: 'default base model' }),
    suggested: z
      .object({ id: z.string(), why: z.enum(['newest-run', 'default', 'fits']) })
      .nullable()
      .meta({
        description: 'the default model of a new run, on this machine; null if no model here can be trained',
      }),
  }),
})
export const lookUpBaseModel = route.post('lookUpBaseModel', '/api/training/base-models/look-up', {
  summary: 'Read size, licence, access and files of a model from the hub; nothing is downloaded',
  body: z.object({ id: HubId, ref: HubRef.default('main') }),
  response: HubModel,
  errors: ASKS_HUB,
})
export const downloadBaseModel = route.post('downloadBaseModel', '/api/training/base-models/download', {
  summary: 'Download a model, or resume a paused download; cancelling the job pauses it; `result` of the job is a DownloadedModel',
  status: 202,
  body: z.object({ id: HubId, ref: HubRef.default('main'), revision: HubRevision }),
  response: Job,
  errors: ['job_running', 'hub_not_set_up', 'path_refused', 'disk_full'],
})
export const listBaseModelDownloads = route.get('listBaseModelDownloads', '/api/training/base-models/downloads', {
  summary: 'Incomplete downloads',
  response: z.object({ items: z.array(BaseModelDownload) }),
})
export const discardBaseModelDownload = route.post('discardBaseModelDownload', '/api/training/base-models/downloads/discard', {
  summary: 'Delete the files of a paused download',
  body: z.object({ id: HubId }),
  response: z.object({ freedBytes: z.number() }),
  errors: ['not_found', 'job_running'],
})
export const getHub = route.get('getHub', '/api/training/hub', {
  summary: 'Hub address, folder and token for base models',
  response: HubStatus,
})
export const setHubToken = route.put('setHubToken', '/api/training/hub/token', {
  summary: 'Save an access token in a file of the data directory; it is never returned or backed up',
  ...token,
  body: z.object({
    token: Secret,
  }),
})
export const deleteHubToken = route.delete('deleteHubToken', '/api/training/hub/token', {
  summary: 'Delete the saved token',
  ...token,
})
