import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Job } from '../entities/job.ts'
import { ChatMessage, ToolSchema } from '../entities/example.ts'
import { KnownTokenizer, Preview } from '../entities/preview.ts'
import { TrainSettings } from '../trainer.ts'
import { modelField } from '../places.ts'

const route = routesOf('factory')
const Tokenizer = modelField(z.string().max(4096), 'Read a tokenizer from a folder')
  .nullable()
  .default(null)
  .meta({ description: 'path of a listed tokenizer or another Hugging Face folder; null for an estimate' })
const Template = TrainSettings.shape.template
const MaxTokens = z.number().int().positive().max(10_000_000).nullable().default(null)

export const listTokenizers = route.get('listTokenizers', '/api/factory/tokenizers', {
  summary: 'Tokenizers on this machine: from the settings, the Hub cache and trained models',
  response: z.object({ items: z.array(KnownTokenizer) }),
})
export const previewRow = route.post('previewRow', '/api/factory/preview', {
  summary: 'A row as a base model will see it: text, tokens, and which tokens are in the loss',
  body: z.object({
    tokenizer: Tokenizer,
    template: Template,
    maxTokens: MaxTokens,
    part: z.number().int().min(0).max(100_000).default(0).meta({ description: 'number of the part, if the row is split at maxTokens' }),
    row: z.union([
      z.object({ example: z.string().max(200) }),
      z.object({ dataset: z.string().max(200), index: z.number().int().min(0) }),
      z.object({ messages: z.array(ChatMessage).min(1).max(2000), tools: z.array(ToolSchema).max(500).default([]) }),
    ]),
  }),
  response: Preview,
  onlyLooks: true,
  errors: ['not_found', 'tokenizer_invalid', 'path_refused', 'confirmation_required'],
})
export const measureLengths = route.post('measureLengths', '/api/factory/lengths', {
  summary: 'Lengths of all rows of a data set in tokens; `result` of the job is a LengthReport',
  status: 202,
  body: z.object({ dataset: z.string().max(200), tokenizer: Tokenizer, template: Template, maxTokens: MaxTokens }),
  response: Job,
  errors: ['not_found', 'tokenizer_invalid', 'path_refused', 'confirmation_required'],
})
