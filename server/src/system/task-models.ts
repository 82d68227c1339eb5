import { isDeepStrictEqual } from 'node:util'
import type { ProviderId } from '#contracts/entities/provider.ts'
import type { TaskEndpoint } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import {
  type ChatRequest,
  type ClearedRequest,
  type Completion,
  createLoopbackClient,
  createModelClient,
  type ModelClient,
} from '#server/adapters/llm/index.ts'
import type { TokenPrice } from '#server/prices/request-cost.ts'
import { isLoopback } from '#server/adapters/tools/loopback.ts'
import type { OpenProvider } from './providers.ts'

export interface TaskModelsDeps {
  providers: {
    open(wanted: ProviderId | undefined, wantedModel: string | undefined): OpenProvider
    nameOf(id: ProviderId): string
    /** Address, key and model of a provider. Throws like `open`. */
    source(
      id: ProviderId,
      model: string | undefined,
    ): { dialect: 'anthropic' | 'openai'; baseUrl: string; key: string | null; model: string }
  }
  price: (model: string) => TokenPrice | null
  /** Passes a request through the privacy gate, in a worker. */
  clear: (request: ChatRequest, signal: AbortSignal) => Promise<ClearedRequest>
  /** Models of the registry, served on this machine. */
  served: {
    nameOf: (id: string) => string | null
    baseNameOf: (id: string) => string | null
    /** It stays loaded until `release`. */
    serve: (id: string, options: { base: boolean }) => Promise<{ baseUrl: string; key: string; release: () => void }>
  }
  timeoutMs: () => number
}

/** The privacy gate of one run. */
interface Redaction {
  clearSecrets: (request: ChatRequest, signal: AbortSignal) => Promise<ChatRequest>
  clearRequest: (request: ChatRequest, signal: AbortSignal) => Promise<ClearedRequest>
}

const FREE: TokenPrice = { inputPerMTok: 0, outputPerMTok: 0 }

/** Models for agent runs: providers with the user's key, endpoints without a key, models of the registry. */
export function createTaskModels(deps: TaskModelsDeps) {
  const opened = (endpoint: Extract<TaskEndpoint, { kind: 'provider' }>, model: string | undefined) =>
    deps.providers.open(endpoint.provider, model)
  const hostOf = (baseUrl: string) => URL.parse(baseUrl)?.host ?? baseUrl
  /** With the address, which the user may have changed. */
  const receiverOf = (id: ProviderId, model: string | undefined): string => {
    const name = deps.providers.nameOf(id)
    try {
      return `${name} (${hostOf(deps.providers.source(id, model).baseUrl)})`
    } catch (error) {
      if (error instanceof AppError) return name
      throw error
    }
  }
  const serve = ({ modelId, isBase }: Extract<TaskEndpoint, { kind: 'model' }>) => deps.served.serve(modelId, { base: isBase === true })
  const isHere = (baseUrl: string) => isLoopback(URL.parse(baseUrl)?.hostname ?? '')

  return {
    find(endpoint: TaskEndpoint, model: string | undefined) {
      if (endpoint.kind === 'model') {
        const name = endpoint.isBase ? deps.served.baseNameOf(endpoint.modelId) : deps.served.nameOf(endpoint.modelId)
        return {
          payer: 'No one: the model runs on this machine.',
          receiver: 'the model on this machine',
          isOutside: false,
          dialect: 'openai' as const,
          model: name,
          price: FREE,
          missing: name === null ? { message: 'There is no such model in the registry.', hint: 'Choose another model.' } : null,
        }
      }
      if (endpoint.kind === 'url') {
        const payer = isHere(endpoint.baseUrl) ? 'No one: the model runs on this machine, and no key is sent.' : `Whoever runs ${hostOf(endpoint.baseUrl)}; no key of yours is sent there.` // prettier-ignore
        const receiver = isHere(endpoint.baseUrl) ? `the server at ${hostOf(endpoint.baseUrl)} on this machine` : hostOf(endpoint.baseUrl)
        const to = { receiver, isOutside: !isHere(endpoint.baseUrl) }
        const needsModel = endpoint.dialect === 'anthropic' && model === undefined
        const message = needsModel ? 'This endpoint needs the name of a model.' : sentenceOf(() => void clientFor(endpoint, deps.timeoutMs())) // prettier-ignore
        return { payer, ...to, dialect: endpoint.dialect, model: model ?? null, price: null, missing: message === null ? null : { message, hint: null } } // prettier-ignore
      }
      const payer = `You, through your ${deps.providers.nameOf(endpoint.provider)} API key.${endpoint.provider === 'anthropic' ? ' Your Claude subscription is never used.' : ''}`
      const dialect = endpoint.provider === 'anthropic' ? ('anthropic' as const) : ('openai' as const)
      const to = { receiver: receiverOf(endpoint.provider, model), isOutside: true }
      try {
        const { model: chosen, price } = opened(endpoint, model)
        return { payer, ...to, dialect, model: chosen, price, missing: null }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { payer, ...to, dialect, model: model ?? null, price: null, missing: { message: error.message, hint: error.hint ?? null } }
      }
    },
    async source(endpoint: TaskEndpoint, model: string | undefined) {
      if (endpoint.kind === 'model') {
        const { baseUrl, key, release } = await serve(endpoint)
        return { dialect: 'openai' as const, baseUrl, key: async () => key, model: null, price: () => FREE, release }
      }
      if (endpoint.kind === 'url') {
        const { dialect, baseUrl } = endpoint
        return { dialect, baseUrl, key: async () => null, model: model ?? null, price: () => null }
      }
      const source = deps.providers.source(endpoint.provider, model)
      const key = async () => deps.providers.source(endpoint.provider, model).key
      const price = (requestedModel: string | null) => (requestedModel === null ? null : deps.price(requestedModel))
      return { ...source, key, price }
    },
    async open(endpoint: TaskEndpoint, model: string | undefined, signal: AbortSignal, redaction: Redaction | null = null) {
      const clear = redaction ? redaction.clearRequest : deps.clear
      const clearHere = async (request: ChatRequest, stop: AbortSignal) => (redaction ? redaction.clearSecrets(request, stop) : request)
      if (endpoint.kind === 'model') {
        const { baseUrl, key, release } = await serve(endpoint)
        const client = createLoopbackClient({ dialect: 'openai', baseUrl, key, timeoutMs: null, price: FREE })
        return asking(async (request, stop) => client.ask({ ...(await clearHere(request, stop)), model: null }, stop), release)
      }
      if (endpoint.kind === 'url') {
        if (isHere(endpoint.baseUrl)) {
          const client = createLoopbackClient({ ...endpoint, key: null, timeoutMs: null, price: null })
          return asking(async (request, stop) => client.ask(await clearHere(request, stop), stop))
        }
        const client = clientFor(endpoint, deps.timeoutMs())
        return asking(askCleared(client, clear))
      }
      return asking(askCleared(opened(endpoint, model).client, clear))
    },
  }
}

const asking = (ask: (request: ChatRequest, signal: AbortSignal) => Promise<Completion>, release = () => {}) => ({
  ask,
  close: async () => release(),
})

/** Asks with the cleared request, and says whether that is another one. */
const askCleared =
  (client: Pick<ModelClient<ClearedRequest>, 'ask'>, clear: Redaction['clearRequest']) =>
  async (request: ChatRequest, stop: AbortSignal): Promise<Completion> => {
    const cleared = await clear(request, stop)
    const completion = await client.ask(cleared, stop)
    const textsOf = ({ system, messages, tools }: ChatRequest) => [system, messages, tools]
    return isDeepStrictEqual(textsOf(request), textsOf(cleared)) ? completion : { ...completion, isReplaced: true }
  }

/** The price is unknown even for a listed model name, because the list has the prices of providers, not of other endpoints. */
const clientFor = ({ dialect, baseUrl }: Extract<TaskEndpoint, { kind: 'url' }>, timeoutMs: number) =>
  createModelClient({ dialect, baseUrl, key: null, timeoutMs, price: null })

function sentenceOf(make: () => void): string | null {
  try {
    make()
    return null
  } catch (error) {
    return (error as Error).message
  }
}
