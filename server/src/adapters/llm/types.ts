/** A request to a model. */
export interface ChatRequest {
  /** Null for the only model of the endpoint. */
  model: string | null
  system?: string
  messages: readonly Message[]
  tools?: readonly Tool[]
  /** Default: the model chooses. `any`: it must call one. */
  toolChoice?: 'auto' | 'any' | 'none' | { name: string }
  /** At most one call in an answer. */
  oneCall?: boolean
  /** The answer is one JSON object of this JSON Schema: a response format, or a forced call of a tool of this name. */
  format?: { name: string; schema: Readonly<Record<string, unknown>> }
  /** Maximum tokens of the answer. */
  maxTokens: number
  temperature?: number
  topP?: number
  /** Texts that end the answer. */
  stop?: readonly string[]
  /** Ignored by the Messages API. */
  seed?: number
  /** Asks for the log-probability of each token of the answer. Ignored by the Messages API and in streams. */
  logprobs?: boolean
}

/** A message or tool in the format of the endpoint's API, which is sent unchanged. */
interface Wire {
  wire: Readonly<Record<string, unknown>>
}
export type Message =
  /** `images`: their addresses, most of them data URLs. */
  | { role: 'user'; content: string; images?: readonly string[] }
  | { role: 'assistant'; content: string; toolCalls?: readonly ToolCall[] }
  | { role: 'tool'; callId: string; content: string; isError?: boolean }
  | Wire
/** `inputSchema`: JSON Schema of an object. */
export type Tool = { name: string; description: string; inputSchema: Readonly<Record<string, unknown>> } | Wire

export interface ToolCall {
  id: string
  name: string
  /** JSON text from the model, which may be incomplete. */
  arguments: string
}

/** Token counts of the provider, which it also bills. */
export interface Usage {
  /** Including tokens read from the cache and written to it. */
  input: number
  output: number
  /** Part of the input; null if the provider does not report it. */
  cacheRead: number | null
  cacheWrite: number | null
  /** The part of `cacheWrite` that is kept for an hour; missing if it is none. */
  cacheWrite1h?: number
}

export interface Completion {
  text: string
  /** Text of the model before its answer, if the provider returns it. */
  thinking: string
  toolCalls: ToolCall[]
  /** `length`: cut off at `maxTokens`. */
  stopped: 'end' | 'length' | 'tools' | 'refusal' | 'other'
  usage: Usage
  /** Null if no price is known. */
  costUsd: number | null
  /** The privacy gate changed texts of the request before it was sent. */
  isReplaced?: boolean
  /** In the order of the answer; missing if the endpoint returned none. */
  logprobs?: readonly TokenLogprob[]
}
export interface TokenLogprob {
  token: string
  logprob: number
}
/** Not every endpoint counts the tokens of a stream. */
export type StreamedCompletion = Omit<Completion, 'usage'> & { usage: Usage | null }

export type StreamEvent =
  | { type: 'text' | 'thinking'; text: string }
  /** The next piece of a tool call; `done` has the complete calls. */
  | { type: 'call'; name: string; json: string }
  /** The server's count of output tokens so far, and its speed. */
  | { type: 'measured'; tokens: number | null; tokensPerSec: number | null }
  /** Always the last one. */
  | { type: 'done'; completion: StreamedCompletion }

/** An answer before it has a price. */
export type Answer = Omit<Completion, 'costUsd'>
export type StreamedAnswer = Omit<StreamedCompletion, 'costUsd'>

/** The information of a provider about a failure. */
export interface Refusal {
  reason: string
  /** The HTTP status that corresponds to an error in a stream; null if unknown. */
  status: number | null
  /** The request is longer than the model can read. */
  tooLong: { tokens: number | null; limit: number } | null
}

/** Reads the events of one stream in their order. */
export interface StreamReader {
  /** The events that an event of the stream adds; null if it is not one of this API; a `Refusal` if the provider stopped with an error. */
  addEvent(event: unknown): StreamEvent[] | Refusal | null
  /** `complete`: the answer is complete, but numbers may follow. `over`: nothing follows. */
  readonly state: 'open' | 'complete' | 'over'
  /** The answer so far. */
  answer(): StreamedAnswer
}

/** The API of one family of endpoints. */
export interface Dialect {
  path: string
  headers: (key: string | null) => Record<string, string>
  body: (request: ChatRequest) => Record<string, unknown>
  /** Further fields of a body for a streamed answer. */
  streaming: Record<string, unknown>
  /** The data of the last event of a stream if it is not JSON; otherwise null. */
  endMark: string | null
  /** Null if the answer is not one of this API. */
  read: (answer: unknown) => Answer | null
  createReader: () => StreamReader
  refusal: (answer: unknown) => Refusal | null
}
