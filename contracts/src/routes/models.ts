import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { csv, Cursor, Limit, page, TagChange } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import { Lineage, Model, ModelFormat, ModelId, Quantization, Serving } from '../entities/model.ts'

const route = routesOf('models')
const params = z.object({ id: ModelId })

export const listModels = route.get('listModels', '/api/models', {
  summary: 'Models, newest first',
  query: z.object({
    q: z.string().max(200).optional(),
    tag: z.string().max(40).optional(),
    archived: z.stringbool().default(false),
    starred: z.stringbool().optional(),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(Model).extend({
    diskBytes: z.number().meta({ description: 'disk use of all models, including models that do not match the filter' }),
  }),
})
export const getModel = route.get('getModel', '/api/models/{id}', {
  summary: 'A model with all measured figures',
  params,
  response: Model,
  errors: ['model_not_found'],
})
export const compareModels = route.get('compareModels', '/api/models/compare', {
  summary: 'Selected figures of two to six models; null means not measured',
  query: z.object({ ids: csv(ModelId), metrics: csv(z.string().max(100)).optional() }),
  response: z.record(z.string(), z.record(z.string(), z.number().nullable())),
  errors: ['model_not_found', 'invalid_request'],
})
export const patchModel = route.patch('patchModel', '/api/models/{id}', {
  summary: 'Name, description, tags, note, star, archive',
  params,
  body: z
    .strictObject({
      name: z.string().trim().min(1).max(120),
      description: z.string().max(10_000).nullable(),
      ...TagChange.shape,
      note: z.string().max(10_000).nullable(),
      starred: z.boolean(),
      archived: z.boolean(),
    })
    .partial(),
  response: Model,
  errors: ['model_not_found'],
})
export const deleteModel = route.delete('deleteModel', '/api/models/{id}', {
  summary: 'Delete a model with its exports; `name` must be its name',
  params,
  query: z.object({ name: z.string().max(120) }),
  response: z.object({ freedBytes: z.number() }),
  errors: ['model_not_found', 'model_in_use', 'invalid_request'],
})
export const getModelLineage = route.get('getModelLineage', '/api/models/{id}/lineage', {
  summary: 'The lineage from traces, examples, data set and run to the model and its exports',
  params,
  response: Lineage,
  errors: ['model_not_found'],
})
export const getModelCard = route.get('getModelCard', '/api/models/{id}/card', {
  summary: 'The model card as Markdown',
  params,
  response: z.object({ markdown: z.string() }),
  errors: ['model_not_found'],
})
export const exportModel = route.post('exportModel', '/api/models/{id}/export', {
  summary: 'Create an export and compare its answers with the model; `result` of the job is an Artifact',
  status: 202,
  params,
  body: z.object({
    format: ModelFormat,
    quantization: Quantization.default('q4_k_m'),
    parity: z.boolean().default(true),
  }),
  response: Job,
  errors: ['model_not_found', 'training_unavailable', 'job_running', 'export_unavailable'],
})
export const probeModel = route.post('probeModel', '/api/models/{id}/probe', {
  summary: 'Search the phrases that were planted in its data sets in a trained model; `result` of the job is a Probe',
  status: 202,
  params,
  body: z
    .object({ endings: z.number().int().min(16).max(10_000).default(256).meta({ description: 'among which the true ending is ranked' }) })
    .default({ endings: 256 }),
  response: Job,
  errors: ['model_not_found', 'training_unavailable', 'job_running', 'export_unavailable'],
})
export const deleteArtifact = route.delete('deleteArtifact', '/api/models/{id}/artifacts/{artifact}', {
  summary: 'Delete one export',
  params: params.extend({ artifact: z.string().max(100) }),
  response: Model,
  errors: ['model_not_found', 'not_found', 'model_in_use'],
})
export const listServings = route.get('listServings', '/api/models/servings', {
  summary: 'Models that are loaded on this machine, or are loaded again by the next request',
  response: z.object({ items: z.array(Serving) }),
})
export const startServing = route.post('startServing', '/api/models/{id}/serve', {
  summary: 'Load a GGUF of the model, or its converted base model',
  status: 202,
  params,
  body: z.object({
    artifact: z.string().max(100).optional(),
    base: z.boolean().default(false).meta({ description: 'the base model instead of the trained one' }),
  }),
  response: Serving,
  errors: ['model_not_found', 'not_found', 'training_unavailable', 'export_unavailable', 'too_many_servings'],
})
export const stopServing = route.delete('stopServing', '/api/models/servings/{serving}', {
  summary: 'Unload a model; returns the models that are still loaded',
  params: z.object({ serving: z.string().max(100) }),
  response: z.object({ items: z.array(Serving) }),
})
export const chatWithModel = route.post('chatWithModel', '/api/models/servings/{serving}/chat', {
  summary: 'An answer, streamed as JSON Lines of ChatChunk',
  params: z.object({ serving: z.string().max(100) }),
  body: z.object({
    messages: z.array(z.record(z.string(), z.unknown())).min(1).max(500),
    tools: z.array(z.record(z.string(), z.unknown())).max(100).default([]),
    temperature: z.number().min(0).max(2).default(0),
    maxTokens: z.number().int().min(1).max(8192).default(2048),
    grammar: z.boolean().default(false).meta({
      description: 'llama.cpp restricts a started call to the schema of its tool; if false, the raw answer is parsed',
    }),
    seed: z.number().int().min(0).default(42),
  }),
  produces: 'application/x-ndjson',
  errors: ['not_found', 'training_unavailable'],
})
