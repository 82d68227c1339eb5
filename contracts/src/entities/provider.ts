import { z } from 'zod'
import { Price } from './price.ts'

/** Who rewrites, writes or judges text for the user. `openai`: any endpoint that speaks the OpenAI chat API, also one on this machine. */
export const ProviderId = z.enum(['anthropic', 'nim', 'openai']).meta({ id: 'ProviderId' })
export type ProviderId = z.infer<typeof ProviderId>

const BaseUrl = z.string().trim().max(2000)
const Model = z.string().trim().max(200)
const endpoint = (baseUrl: string, model: string) => z.strictObject({ baseUrl: BaseUrl, model: Model }).default({ baseUrl, model })

/** Where models are asked, and how fast. Keys are no settings: they are given by the environment or kept in a file of their own. */
export const ProviderSettings = z
  .object({
    augmentation: ProviderId.default('anthropic').meta({ description: 'AUGMENTATION_PROVIDER of the environment wins' }),
    anthropic: endpoint('https://api.anthropic.com', 'claude-sonnet-4-5-20250929'),
    nim: endpoint('https://integrate.api.nvidia.com/v1', 'qwen/qwen2.5-coder-32b-instruct').meta({
      description: 'NIM_ENDPOINT of the environment wins',
    }),
    openai: endpoint('', ''),
    requestsPerMinute: z.number().int().min(1).max(10_000).default(50),
    concurrency: z.number().int().min(1).max(32).default(4),
    timeoutSec: z.number().min(1).max(600).default(120),
  })
  .meta({ id: 'ProviderSettings' })
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** What is set up. The key itself is never returned. */
export const ProviderStatus = z
  .object({
    id: ProviderId,
    name: z.string(),
    ready: z.boolean(),
    missing: z.string().nullable().meta({ description: 'what to set up, in a sentence; null when ready' }),
    keyFrom: z.enum(['environment', 'file']).nullable().meta({ description: 'null: no key' }),
    keyVariable: z.string().nullable().meta({ description: 'the environment variable that may hold the key' }),
    baseUrl: z.string(),
    baseUrlVariable: z.string().nullable().meta({ description: 'the environment variable that gives the address; null: the settings do' }),
    model: z.string(),
    models: z.array(z.string()).meta({ description: 'offered; any other can be typed' }),
    price: Price.pick({ inputPerMTok: true, outputPerMTok: true })
      .nullable()
      .meta({ description: 'USD per million tokens of the model; null: not known' }),
  })
  .meta({ id: 'ProviderStatus' })
export type ProviderStatus = z.infer<typeof ProviderStatus>
