import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { BaseModel, BaseModelDownload, HubId, HubModel, HubRef, HubRevision, HubStatus, RecommendedModel } from '../entities/base-model.ts'
import { Secret } from '../entities/common.ts'
import { Job } from '../entities/job.ts'

const route = routesOf('training')
const ASKS_HUB = ['model_not_on_hub', 'model_gated', 'hub_unreachable', 'hub_bad_answer', 'hub_not_set_up'] as const
const token = { response: HubStatus, errors: ['settings_read_only', 'confirmation_required'] } as const

export const listBaseModels = route.get('listBaseModels', '/api/training/base-models', {
  summary: 'Base models that are on this machine, models to begin with that are not, and whether they fit',
  query: z.object({ q: z.string().max(200).optional() }),
  response: z.object({
    items: z.array(BaseModel),
    recommended: z.array(RecommendedModel).meta({ description: 'not on this machine; those that fit first' }),
    wanted: z.string().meta({ description: 'default base model' }),
    suggested: z
      .object({ id: z.string(), why: z.enum(['newest-run', 'default', 'fits']) })
      .nullable()
      .meta({
        description: 'the model on this machine that a new run begins with unless another is chosen; null: none can be trained here',
      }),
  }),
})
export const lookUpBaseModel = route.post('lookUpBaseModel', '/api/training/base-models/look-up', {
  summary: 'Ask the hub for size, licence, access and files of a model; nothing is downloaded',
  body: z.object({ id: HubId, ref: HubRef.default('main') }),
  response: HubModel,
  errors: ASKS_HUB,
})
export const downloadBaseModel = route.post('downloadBaseModel', '/api/training/base-models/download', {
  summary: 'Download a model, or go on with a paused download; cancelling the job pauses it; `result` of the job is a DownloadedModel',
  status: 202,
  body: z.object({ id: HubId, ref: HubRef.default('main'), revision: HubRevision }),
  response: Job,
  errors: ['job_running', 'hub_not_set_up', 'path_refused', 'disk_full'],
})
export const listBaseModelDownloads = route.get('listBaseModelDownloads', '/api/training/base-models/downloads', {
  summary: 'Downloads that are not complete',
  response: z.object({ items: z.array(BaseModelDownload) }),
})
export const discardBaseModelDownload = route.post('discardBaseModelDownload', '/api/training/base-models/downloads/discard', {
  summary: 'Delete what a paused download has left',
  body: z.object({ id: HubId }),
  response: z.object({ freedBytes: z.number() }),
  errors: ['not_found', 'job_running'],
})
export const getHub = route.get('getHub', '/api/training/hub', {
  summary: 'Where base models are downloaded from and to',
  response: HubStatus,
})
export const setHubToken = route.put('setHubToken', '/api/training/hub/token', {
  summary: 'Save an access token in a file of the data directory; it is never returned, and in no backup',
  ...token,
  body: z.object({
    token: Secret,
  }),
})
export const deleteHubToken = route.delete('deleteHubToken', '/api/training/hub/token', {
  summary: 'Delete the saved token',
  ...token,
})
