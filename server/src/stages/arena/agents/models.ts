import type { TaskEndpoint } from '#contracts/entities/task.ts'
import type { ChatRequest, Completion, Price } from '#server/adapters/llm/index.ts'
import type { ModelSource } from './model-access.ts'

/** A model that a run would ask, before it is asked. */
export interface FoundModel {
  /** Who pays for it, in a sentence. */
  payer: string
  /** Null: the only one that the endpoint serves. */
  model: string | null
  price: Price | null
  /** Which API it speaks. */
  dialect: 'anthropic' | 'openai'
  /** Why it cannot be asked. */
  missing: { message: string; hint: string | null } | null
}

export interface OpenModel {
  /** Throws `ProviderError`, or the reason of `signal`. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<Completion>
  /** Releases the model. */
  close(): Promise<void>
}

/** The models of this product, as runs ask them. No plan of a subscription is among them. */
export interface TaskModels {
  find(endpoint: TaskEndpoint, model: string | undefined): FoundModel
  /** For an agent that asks it by itself, through a proxy. */
  source(endpoint: TaskEndpoint, model: string | undefined, signal: AbortSignal): Promise<ModelSource>
  open(endpoint: TaskEndpoint, model: string | undefined, signal: AbortSignal): Promise<OpenModel>
}
