import { z } from 'zod'

/** Name of a model on a hub: owner and repository. */
export const HubId = z
  .string()
  .trim()
  .max(96)
  .regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/, 'an id is OWNER/NAME, for example Qwen/Qwen2.5-Coder-1.5B-Instruct')
  .refine((id) => !/\.\.|--|\.git$/.test(id), 'an id has neither ".." nor "--", and does not end in ".git"')
export type HubId = z.infer<typeof HubId>

/** A branch or tag of a repository. */
export const HubRef = z
  .string()
  .max(100)
  .regex(/^\w[\w.-]*$/, 'a branch or tag has letters, digits, ".", "_" and "-"')
/** A commit of a repository. */
export const HubRevision = z.string().regex(/^[0-9a-f]{40,64}$/)

const Fit = z
  .enum(['yes', 'tight', 'no', 'unknown'])
  .meta({ description: 'whether LoRA training fits the installed memory; `tight` means barely, or with shorter rows' })
const WritesCalls = z
  .boolean()
  .nullable()
  .meta({ description: 'whether its chat template can express tool calls; null if that is not known. Without a template, ChatML is used' })

/** A base model that is on this machine. */
export const BaseModel = z
  .object({
    id: z.string().meta({ description: 'Hub id (of a GGUF with its file), `ollama/NAME:TAG`, or the folder or file' }),
    name: z.string(),
    path: z.string(),
    source: z.enum(['hub-cache', 'ollama', 'lm-studio', 'folder', 'own']),
    revision: z.string().nullable(),
    format: z.enum(['safetensors', 'gguf']),
    quantization: z
      .string()
      .nullable()
      .meta({ description: 'the type of most weights of a quantized GGUF, which is dequantized for training' }),
    architecture: z.string().nullable(),
    parameters: z.number().nullable(),
    bytes: z.number(),
    license: z.string().nullable(),
    contextLength: z.number().int().nullable(),
    hasTemplate: z.boolean(),
    writesCalls: WritesCalls,
    fit: Fit,
    problem: z.string().nullable().meta({ description: 'why it cannot be trained' }),
  })
  .meta({ id: 'BaseModel' })
export type BaseModel = z.infer<typeof BaseModel>

/** A recommended model to download. Its figures are fixed in our code; the hub's figures are read before a download. */
export const RecommendedModel = z
  .object({
    id: HubId,
    family: z.string().nullable(),
    parameters: z.number().nullable(),
    license: z.string().nullable(),
    writesCalls: WritesCalls,
    fit: Fit,
  })
  .meta({ id: 'RecommendedModel' })
export type RecommendedModel = z.infer<typeof RecommendedModel>

/** A model on a hub, and whether it can be downloaded to this machine. */
export const HubModel = z
  .object({
    id: HubId,
    ref: HubRef,
    revision: HubRevision,
    page: z.string().meta({ description: 'address of its page' }),
    license: z.string().nullable(),
    gated: z.boolean().meta({ description: 'the hub requires accepting its terms' }),
    private: z.boolean(),
    architecture: z.string().nullable(),
    parameters: z.number().nullable(),
    contextLength: z.number().int().nullable(),
    writesCalls: WritesCalls,
    fit: Fit,
    files: z.array(z.object({ path: z.string(), bytes: z.number() })).meta({ description: 'the files that training needs' }),
    bytes: z.number(),
    bytesHere: z.number().meta({ description: 'bytes of these files that are already in the folder' }),
    folder: z.string(),
    freeBytes: z.number().nullable(),
    problem: z.string().nullable().meta({ description: 'why it cannot be downloaded or trained' }),
    hint: z.string().nullable(),
  })
  .meta({ id: 'HubModel' })
export type HubModel = z.infer<typeof HubModel>

/** An incomplete download. `jobId` is its current job, or the last one if it is paused. */
export const BaseModelDownload = z
  .object({
    id: HubId,
    ref: HubRef,
    revision: HubRevision,
    folder: z.string(),
    bytes: z.number(),
    bytesHere: z.number(),
    state: z.enum(['waiting', 'downloading', 'paused']),
    jobId: z.string().nullable(),
    problem: z.string().nullable().meta({ description: 'why it stopped; null if it is running or was paused' }),
    hint: z.string().nullable(),
  })
  .meta({ id: 'BaseModelDownload' })
export type BaseModelDownload = z.infer<typeof BaseModelDownload>

/** The result of a download job. */
export const DownloadedModel = z
  .object({ id: HubId, revision: HubRevision, path: z.string(), files: z.number().int(), bytes: z.number() })
  .meta({ id: 'DownloadedModel' })
export type DownloadedModel = z.infer<typeof DownloadedModel>

/** Settings for downloads of base models. The token itself is never returned. */
export const HubStatus = z
  .object({
    endpoint: z.string(),
    endpointVariable: z
      .string()
      .nullable()
      .meta({ description: 'the environment variable that sets the address; null if the settings set it' }),
    folder: z.string(),
    tokenFrom: z
      .enum(['environment', 'saved', 'login'])
      .nullable()
      .meta({ description: 'from HF_TOKEN, saved here, or from `hf auth login`; null if there is no token' }),
    problem: z.string().nullable().meta({ description: 'why the hub cannot be used' }),
  })
  .meta({ id: 'HubStatus' })
export type HubStatus = z.infer<typeof HubStatus>
