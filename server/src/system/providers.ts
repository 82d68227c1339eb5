import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { ProviderId, ProviderSettings, ProviderStatus } from '#contracts/entities/provider.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/augment.ts'
import { createKeyFile, createModelClient, type ClearedRequest, type ModelClient } from '#server/adapters/llm/index.ts'
import type { TokenPrice } from '#server/prices/request-cost.ts'
import type { Core } from '#server/core.ts'
import type { Confirmations } from './confirmations/confirmations.ts'

export interface ProvidersDeps {
  settings: () => ProviderSettings
  /** USD per million tokens; null if unknown. */
  price: (model: string) => TokenPrice | null
  confirmations: Pick<Confirmations, 'require'>
}

/** A configured provider with its rate limits. */
export interface OpenProvider {
  id: ProviderId
  model: string
  price: TokenPrice | null
  client: ModelClient<ClearedRequest>
  pace: { perMinute: number; concurrency: number }
}

const KNOWN: Record<
  ProviderId,
  {
    name: string
    variable: 'ANTHROPIC_API_KEY' | 'NVIDIA_API_KEY' | null
    addressVariable: 'ANTHROPIC_BASE_URL' | 'NIM_ENDPOINT' | null
    models: string[]
  }
> = {
  anthropic: {
    name: 'Anthropic',
    variable: 'ANTHROPIC_API_KEY',
    addressVariable: 'ANTHROPIC_BASE_URL',
    models: ['claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001', 'claude-opus-4-5-20251101'],
  },
  nim: {
    name: 'NVIDIA NIM',
    variable: 'NVIDIA_API_KEY',
    addressVariable: 'NIM_ENDPOINT',
    models: ['qwen/qwen2.5-coder-32b-instruct', 'qwen/qwen2.5-coder-7b-instruct'],
  },
  openai: { name: 'OpenAI-compatible', variable: null, addressVariable: null, models: [] },
}
const keyChange = (id: ProviderId, to: string) => ({ what: `Key of ${KNOWN[id].name}`, from: 'the saved key', to })
const dialectOf = (id: ProviderId): 'anthropic' | 'openai' => (id === 'anthropic' ? 'anthropic' : 'openai')
const IDS: readonly ProviderId[] = ['anthropic', 'nim', 'openai']

/** Providers, with addresses and models from the settings, and keys from the environment or the key file. */
export function createProviders({ config, paths }: Pick<Core, 'config' | 'paths'>, deps: ProvidersDeps) {
  const keys = createKeyFile(paths.providerKeys)
  const fromEnvironment = (id: ProviderId) => (id === 'openai' ? null : config.providers.keys[id])
  const keyOf = (id: ProviderId) => fromEnvironment(id) ?? keys.get(id)
  const defaultProvider = (): ProviderId => config.providers.augmentation ?? deps.settings().augmentation
  const baseUrlFrom = (id: ProviderId) =>
    id === 'nim' ? config.providers.nimEndpoint : id === 'anthropic' ? config.providers.anthropicBaseUrl : null
  const baseUrlOf = (id: ProviderId) => baseUrlFrom(id) ?? deps.settings()[id].baseUrl

  /** Throws if the address cannot be used. */
  const createClient = (id: ProviderId, price: TokenPrice | null) =>
    createModelClient({
      dialect: dialectOf(id),
      baseUrl: baseUrlOf(id),
      key: keyOf(id),
      timeoutMs: deps.settings().timeoutSec * 1000,
      price,
    })

  const problemOf = (id: ProviderId, model: string): string | null => {
    const { name, variable } = KNOWN[id]
    if (baseUrlOf(id) === '') return `${name} needs an endpoint address.`
    if (model === '') return `${name} needs a model name.`
    if (variable !== null && keyOf(id) === null)
      return `${name} needs a key. Enter it under Settings → Providers, or set ${variable} before starting Bash Gym.`
    try {
      createClient(id, null)
      return null
    } catch (error) {
      return (error as Error).message
    }
  }
  const status = (id: ProviderId): ProviderStatus => {
    const { model } = deps.settings()[id]
    const problem = problemOf(id, model)
    const price = deps.price(model)
    return {
      id,
      name: KNOWN[id].name,
      ready: problem === null,
      missing: problem,
      keyFrom: fromEnvironment(id) !== null ? 'environment' : keys.get(id) !== null ? 'file' : null,
      keyVariable: KNOWN[id].variable,
      baseUrl: baseUrlOf(id),
      baseUrlVariable: baseUrlFrom(id) === null ? null : KNOWN[id].addressVariable,
      model,
      models: KNOWN[id].models,
      price: price && { inputPerMTok: price.inputPerMTok, outputPerMTok: price.outputPerMTok },
    }
  }
  const requireUsable = (id: ProviderId, model: string) => {
    const problem = problemOf(id, model)
    if (problem !== null) throw new AppError('provider_unavailable', { message: problem, details: { provider: id } })
  }
  const refuseEnvironment = (id: ProviderId) => {
    if (fromEnvironment(id) !== null)
      throw new AppError('settings_read_only', {
        message: `The ${KNOWN[id].name} key is set by ${KNOWN[id].variable} and cannot be changed here.`,
      })
  }

  const implementations: Implementation[] = [
    implement(routes.listProviders, () => ({
      items: IDS.map(status),
      augmentation: defaultProvider(),
      augmentationVariable: config.providers.augmentation === null ? null : 'AUGMENTATION_PROVIDER',
    })),
    implement(routes.setProviderKey, ({ params: { id }, body, caller }) => {
      refuseEnvironment(id)
      if (keys.get(id) !== null)
        deps.confirmations.require(caller, [keyChange(id, `another key (${body.key.length} characters)`)], { exactly: body.key })
      keys.set(id, body.key)
      return status(id)
    }),
    implement(routes.deleteProviderKey, ({ params: { id }, caller }) => {
      refuseEnvironment(id)
      if (keys.get(id) !== null) deps.confirmations.require(caller, [keyChange(id, 'no key')])
      keys.remove(id)
      return status(id)
    }),
  ]
  return {
    routes: implementations,
    source(id: ProviderId, wantedModel: string | undefined) {
      const model = wantedModel ?? deps.settings()[id].model
      requireUsable(id, model)
      return { dialect: dialectOf(id), baseUrl: baseUrlOf(id), key: keyOf(id), model }
    },
    nameOf: (id: ProviderId): string => KNOWN[id].name,
    /** Opens the given provider, or the default one. Throws `provider_unavailable` that names what is missing. */
    open(requestedId: ProviderId | undefined, wantedModel: string | undefined): OpenProvider {
      const id = requestedId ?? defaultProvider()
      const settings = deps.settings()
      const model = wantedModel ?? settings[id].model
      requireUsable(id, model)
      const pace = { perMinute: settings.requestsPerMinute, concurrency: settings.concurrency }
      const price = deps.price(model)
      return { id, model, price, client: createClient(id, price), pace }
    },
  }
}
