/** What a model is asked. */
export interface ChatRequest {
  /** Null: the only one that the endpoint serves. */
  model: string | null
  system?: string
  messages: readonly Message[]
  tools?: readonly Tool[]
  /** The most tokens that the answer may have. */
  maxTokens: number
  temperature?: number
  /** The Messages API has none. */
  seed?: number
}

/** A message or tool in the form of the endpoint's own API: sent as it is. */
interface Wire {
  wire: Readonly<Record<string, unknown>>
}
export type Message =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: readonly ToolCall[] }
  | { role: 'tool'; callId: string; content: string; isError?: boolean }
  | Wire
/** `inputSchema`: JSON Schema of an object. */
export type Tool = { name: string; description: string; inputSchema: Readonly<Record<string, unknown>> } | Wire

export interface ToolCall {
  id: string
  name: string
  /** JSON text, as the model wrote it: it may be torn. */
  arguments: string
}

/** Tokens, as the provider counts and bills them. */
export interface Usage {
  /** With what was read from the cache, and written to it. */
  input: number
  output: number
  /** Of the input; null if the provider does not say. */
  cacheRead: number | null
  cacheWrite: number | null
}

export interface Completion {
  text: string
  /** What the model wrote before its answer, where the provider shows it. */
  thinking: string
  toolCalls: ToolCall[]
  /** `length`: cut off at `maxTokens`. */
  stopped: 'end' | 'length' | 'tools' | 'refusal' | 'other'
  usage: Usage
  /** Null if no price is known. */
  costUsd: number | null
}
/** Not every endpoint counts the tokens of a stream. */
export type StreamedCompletion = Omit<Completion, 'usage'> & { usage: Usage | null }

export type StreamEvent =
  | { type: 'text' | 'thinking'; text: string }
  /** The next piece of a tool call; the whole ones are in `done`. */
  | { type: 'call'; name: string; json: string }
  /** So far, as the server counts: output tokens, and how fast it writes. */
  | { type: 'measured'; tokens: number | null; tokensPerSec: number | null }
  /** Always the last one. */
  | { type: 'done'; completion: StreamedCompletion }

/** An answer before it has a price. */
export type Answer = Omit<Completion, 'costUsd'>
export type StreamedAnswer = Omit<StreamedCompletion, 'costUsd'>

/** The information of a provider about a failure. */
export interface Refusal {
  reason: string
  /** The HTTP status that an error in a stream corresponds to; null: unknown. */
  status: number | null
  /** The request is longer than the model can read. */
  tooLong: { tokens: number | null; limit: number } | null
}

/** Reads the events of one stream in their order. */
export interface StreamReader {
  /** What an event adds. `null`: it does not have the shape of this API. A `Refusal`: the provider broke off. */
  take(event: unknown): StreamEvent[] | Refusal | null
  /** `complete`: the answer is whole, figures may follow. `over`: nothing more is waited for. */
  readonly state: 'open' | 'complete' | 'over'
  /** What there is of the answer. */
  answer(): StreamedAnswer
}

/** How one family of endpoints is spoken to. */
export interface Dialect {
  path: string
  headers: (key: string | null) => Record<string, string>
  body: (request: ChatRequest) => Record<string, unknown>
  /** Further fields of a body for a streamed answer. */
  streaming: Record<string, unknown>
  /** The data of the last event of a stream, where that is no JSON. */
  endMark: string | null
  /** Null if the answer does not have the shape. */
  read: (answer: unknown) => Answer | null
  createReader: () => StreamReader
  refusal: (answer: unknown) => Refusal | null
}
