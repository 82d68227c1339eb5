import type { TokenPrice } from '#server/prices/request-cost.ts'
import type { Ledger } from '../llm/ledger.ts'

export type ProxyDialect = 'anthropic' | 'openai'
/** The paths that the proxy forwards: only requests for answers, whose tokens are counted. */
export const PROXY_PATHS = ['/v1/messages', '/v1/chat/completions', '/v1/responses'] as const
export type ProxyPath = (typeof PROXY_PATHS)[number]

/** A text of a request, with its key. `isData`: it is inside the input of a call. */
export interface KeyedText {
  key: string | null
  text: string
  isData: boolean
}
/** Replaces the secrets in texts. Rejects if they could not be searched. */
export type ClearTexts = (texts: readonly KeyedText[], signal: AbortSignal) => Promise<string[]>

export interface ProxyGrant {
  upstream: {
    dialect: ProxyDialect
    /** Such as `https://api.anthropic.com`, or `https://host/v1` for an OpenAI-compatible endpoint. */
    baseUrl: string
    /** Called for each request; null if the endpoint needs no key. */
    key: () => Promise<string | null>
  }
  allowedPaths: readonly ProxyPath[]
  /** The budget of the run, which its grants share. */
  ledger: Ledger
  /** The model of the run; null if the client chooses. Endpoints get requests for no other but Claude models, because a name can switch on web search. */
  model: string | null
  /** Null if the price of a model is unknown. */
  price: (model: string | null) => TokenPrice | null
  /** What every text of a request must pass before it is sent; null: texts are sent as they are. */
  clear: ClearTexts | null
  /** Called once for each request, after its end. */
  onExchange: (exchange: ProxyExchange) => void
  /** Revokes the grant. */
  signal: AbortSignal
}

export interface GrantAccess {
  /** The proxy's address on this machine, without `/v1`. */
  baseUrl: string
  /** Sent instead of the key, as `x-api-key` or as a bearer token. */
  token: string
  usage(): ProxyUsage
  /** Refuses every later request. Resolves when no request to the endpoint is open. */
  revoke(): Promise<void>
}

export interface ProxyUsage {
  /** Answered and open requests, without refusals of the endpoint. */
  requests: number
  /** Tokens, including those read from the cache and written to it. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Null if the cost of an answer is unknown: its model has no price, or the endpoint did not report all of its tokens. */
  costUsd: number | null
  /** Number of complete answers without a token count. */
  unmeasured: number
}

/** A request and its answer, shortened at a limit. It contains neither the key nor the capability. */
export interface ProxyExchange {
  /** Milliseconds since 1970. */
  at: number
  durationMs: number
  path: string
  model: string | null
  /** Ids from the client; null if it sends none. */
  session: string | null
  agent: string | null
  request: Buffer
  /** Null if the endpoint did not answer. */
  status: number | null
  answer: Buffer
  /** `refused`: by this proxy. `torn`: the endpoint or the client closed the connection. */
  end: 'whole' | 'torn' | 'refused' | 'failed'
  /** Whether the end of `answer` is missing. */
  isShortened: boolean
  /** Names of the fields, tools and parts that were not sent. */
  removed: string[]
  /** Why there is no complete answer. */
  error: string | null
  usage: { input: number; output: number; cacheRead: number | null; cacheWrite: number | null } | null
  costUsd: number | null
}
