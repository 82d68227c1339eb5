import { z } from 'zod'
import { Price } from './price.ts'
import { askedField } from '../places.ts'

/** A provider of language models. `openai` is any endpoint with the OpenAI chat API, including one on this machine. */
export const ProviderId = z.enum(['anthropic', 'nim', 'openai']).meta({ id: 'ProviderId' })
export type ProviderId = z.infer<typeof ProviderId>

const Model = z.string().trim().max(200)
const endpoint = (name: string, baseUrl: string, model: string) =>
  z.strictObject({ baseUrl: askedField(z.string().trim().max(2000), `Address of ${name}`), model: Model }).default({ baseUrl, model })

/** Endpoints, default models and rate limits. API keys are not settings: they come from the environment or a separate file. */
export const ProviderSettings = z
  .object({
    augmentation: ProviderId.default('anthropic').meta({ description: 'overridden by AUGMENTATION_PROVIDER if set' }),
    anthropic: endpoint('Anthropic', 'https://api.anthropic.com', 'claude-sonnet-4-5-20250929'),
    nim: endpoint('NVIDIA NIM', 'https://integrate.api.nvidia.com/v1', 'qwen/qwen2.5-coder-32b-instruct').meta({
      description: 'overridden by NIM_ENDPOINT if set',
    }),
    openai: endpoint('the OpenAI-compatible provider', '', ''),
    requestsPerMinute: z.number().int().min(1).max(10_000).default(50),
    concurrency: z.number().int().min(1).max(32).default(4),
    timeoutSec: z.number().min(1).max(600).default(120),
  })
  .meta({ id: 'ProviderSettings' })
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** A provider, and whether it is ready to use. The key itself is never returned. */
export const ProviderStatus = z
  .object({
    id: ProviderId,
    name: z.string(),
    ready: z.boolean(),
    missing: z.string().nullable().meta({ description: 'what to set up, as a sentence; null if ready' }),
    keyFrom: z.enum(['environment', 'file']).nullable().meta({ description: 'null if there is no key' }),
    keyVariable: z.string().nullable().meta({ description: 'the environment variable for the key' }),
    baseUrl: z.string(),
    baseUrlVariable: z
      .string()
      .nullable()
      .meta({ description: 'the environment variable that sets the address; null if the settings set it' }),
    model: z.string(),
    models: z.array(z.string()).meta({ description: 'suggestions; any other name can be typed' }),
    price: Price.pick({ inputPerMTok: true, outputPerMTok: true })
      .nullable()
      .meta({ description: 'USD per million tokens of the model; null if unknown' }),
  })
  .meta({ id: 'ProviderStatus' })
export type ProviderStatus = z.infer<typeof ProviderStatus>
