import type { ExamIdentity, ExamModel } from '#contracts/entities/exam.ts'
import type { TaskEndpoint } from '#contracts/entities/task.ts'
import { type ChatRequest, type Completion, createLoopbackClient } from '#server/adapters/llm/index.ts'
import type { TokenPrice } from '#server/prices/request-cost.ts'
import type { FoundModel, TaskModels } from '../../agents/index.ts'

export interface ExamModelsDeps {
  endpoints: Pick<TaskModels, 'find' | 'open'>
  registry: {
    /** Names and hashes of a model and of its base. Throws `model_not_found`. */
    facts(id: string): { name: string; hashes: Record<string, string>; base: { name: string; hashes: Record<string, string> } }
    /** Data sets that a model, and the models that it was made from, were trained on; `isWhole`: no other files. */
    trainedOn(id: string): { datasets: string[]; isWhole: boolean }
    serveBase(id: string): Promise<{ baseUrl: string; key: string }>
  }
}

export interface OpenModel {
  ask: (request: ChatRequest, signal: AbortSignal) => Promise<Completion>
  /** The name that a request sends; null for the only model of an endpoint. */
  model: string | null
  dialect: FoundModel['dialect']
  close: () => Promise<void>
}

export type ExamModels = ReturnType<typeof createExamModels>

const FREE: TokenPrice = { inputPerMTok: 0, outputPerMTok: 0 }
const HERE = 'No one: the model runs on this machine.'

/** A model as runs of agents name it. */
export function taskEndpointOf(model: ExamModel): { endpoint: TaskEndpoint; model: string | undefined } {
  if (model.kind === 'model') return { endpoint: { kind: 'model', modelId: model.model }, model: undefined }
  if (model.kind === 'base') return { endpoint: { kind: 'model', modelId: model.model, isBase: true }, model: undefined }
  const { model: name, ...endpoint } = model
  return { endpoint, model: name || undefined }
}

/** The models that can take an exam: of the registry, their bases, providers, and other endpoints. */
export function createExamModels({ endpoints, registry }: ExamModelsDeps) {
  return {
    find(model: ExamModel): FoundModel & { label: string; identity: ExamIdentity } {
      if (model.kind === 'base') {
        const { base } = registry.facts(model.model)
        const found = { payer: HERE, receiver: 'the model on this machine', isOutside: false, dialect: 'openai' as const }
        return {
          ...found,
          model: base.name,
          price: FREE,
          missing: null,
          label: base.name,
          identity: { id: base.name, hashes: base.hashes },
        }
      }
      const facts = model.kind === 'model' ? registry.facts(model.model) : null
      const { endpoint, model: name } = taskEndpointOf(model)
      const found = endpoints.find(endpoint, name)
      if (facts && model.kind === 'model') return { ...found, label: facts.name, identity: { id: model.model, hashes: facts.hashes } }
      const place =
        model.kind === 'url' ? (URL.parse(model.baseUrl)?.host ?? model.baseUrl) : model.kind === 'provider' ? model.provider : ''
      const label = found.model === null ? place : `${found.model} (${place})`
      const address = model.kind === 'url' ? model.baseUrl : place
      return { ...found, label, identity: { id: `${found.model ?? ''} ${address}`.trim(), hashes: {} } }
    },
    async open(model: ExamModel, signal: AbortSignal): Promise<OpenModel> {
      if (model.kind === 'base') {
        const { baseUrl, key } = await registry.serveBase(model.model)
        const client = createLoopbackClient({ dialect: 'openai', baseUrl, key, timeoutMs: null, price: FREE })
        return { ask: (request, stop) => client.ask(request, stop), model: null, dialect: 'openai', close: async () => undefined }
      }
      const { endpoint, model: name } = taskEndpointOf(model)
      const { dialect, model: wireName } = endpoints.find(endpoint, name)
      const opened = await endpoints.open(endpoint, name, signal)
      return { ...opened, dialect, model: model.kind === 'model' ? null : wireName }
    },
    trainedOn: (id: string) => registry.trainedOn(id),
  }
}
