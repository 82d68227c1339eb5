import type { TaskEndpoint } from '#contracts/entities/task.ts'
import type { ChatRequest, Completion } from '#server/adapters/llm/index.ts'
import type { TokenPrice } from '#server/prices/request-cost.ts'
import type { RunRedaction } from '../privacy/index.ts'
import type { ModelSource } from './model-access.ts'

/** The model that a run would use. */
export interface FoundModel {
  /** A sentence that says who pays for it. */
  payer: string
  /** Who gets the requests, such as `Anthropic`. */
  receiver: string
  /** Whether requests leave this machine. Those of `open` pass the privacy gate then. */
  isOutside: boolean
  /** Null: the only one that the endpoint serves. */
  model: string | null
  price: TokenPrice | null
  /** Which API it has. */
  dialect: 'anthropic' | 'openai'
  /** Why it cannot be used; null if it can. */
  missing: { message: string; hint: string | null } | null
}

export interface OpenModel {
  /** Throws `ProviderError`, or the reason of `signal`. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<Completion>
  /** Releases the model. */
  close(): Promise<void>
}

/** The models that runs can use. Subscription plans are not among them. */
export interface TaskModels {
  find(endpoint: TaskEndpoint, model: string | undefined): FoundModel
  /** For agents that send their own requests through a proxy. */
  source(endpoint: TaskEndpoint, model: string | undefined, signal: AbortSignal): Promise<ModelSource>
  /** `redaction`: replaces secrets in requests that stay on this machine too, and the same secret alike in all requests. */
  open(endpoint: TaskEndpoint, model: string | undefined, signal: AbortSignal, redaction?: RunRedaction | null): Promise<OpenModel>
}
