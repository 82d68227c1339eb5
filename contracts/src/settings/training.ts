import { z } from 'zod'
import { askedField, folderField } from '../places.ts'

/** A Ray cluster that sees the data directory and the trainers under the same paths. */
export const RaySettings = z.strictObject({
  address: askedField(z.string().trim().max(1000), 'Address of the Ray cluster')
    .default('')
    .meta({ description: 'of its dashboard; empty: none' }),
  tokenFile: askedField(z.string().trim().max(4096), 'Token file of the Ray cluster')
    .default('')
    .meta({ description: 'file (0600) with its token' }),
  python: askedField(z.string().trim().max(4096), 'Python on the Ray cluster')
    .default('')
    .meta({ description: 'interpreter there; empty: the same path as here' }),
  gpus: z.number().int().min(0).max(64).default(0).meta({ description: 'that a run asks the cluster for' }),
})
export type RaySettings = z.infer<typeof RaySettings>

/** Where base models are downloaded from. The only place that names the usual hub. */
export const HubSettings = z.strictObject({
  endpoint: askedField(z.string().trim().max(1000), 'Address of the model hub')
    .default('https://huggingface.co')
    .meta({ description: 'address of a server with the API of the Hugging Face Hub; overridden by HF_ENDPOINT if set' }),
  folder: askedField(z.string().trim().max(4096), 'Folder of downloaded models')
    .default('')
    .meta({ description: 'cache folder for downloads (absolute path); empty: the cache of the Hugging Face libraries' }),
})
export type HubSettings = z.infer<typeof HubSettings>

export const TrainingSettings = z
  .object({
    python: askedField(z.string().trim().max(4096), 'Python for training')
      .default('')
      .meta({ description: 'interpreter that trains; empty: the own environment, else one on PATH' }),
    ray: RaySettings.prefault({}),
    hub: HubSettings.prefault({}),
    baseModels: z
      .array(folderField(z.string().trim().min(1).max(4096), 'Look for base models in a folder'))
      .max(100)
      .default([])
      .meta({
        description: 'folders (absolute paths) searched for base models, with their subfolders, in addition to the Hub cache and your runs',
      }),
  })
  .prefault({})
