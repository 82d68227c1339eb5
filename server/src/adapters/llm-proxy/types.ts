import type { Price } from '../llm/budget.ts'

export type ProxyDialect = 'anthropic' | 'openai'
/** What the proxy forwards, as a client asks for it. */
export const PROXY_PATHS = ['/v1/messages', '/v1/messages/count_tokens', '/v1/chat/completions', '/v1/responses', '/v1/models'] as const
export type ProxyPath = (typeof PROXY_PATHS)[number]

/** Bounds of all requests of a grant together, sub-agents included. A request that is under way when one is reached is answered. */
export interface ProxyCaps {
  /** Counts answers only: a request that the endpoint refused may be repeated. */
  requests?: number | null
  outputTokens?: number | null
  /** Input, with what came from the cache, and output. */
  totalTokens?: number | null
  costUsd?: number | null
}

export interface ProxyGrant {
  upstream: {
    dialect: ProxyDialect
    /** Such as `https://api.anthropic.com`, or `https://host/v1` of an OpenAI-compatible one. */
    baseUrl: string
    /** Asked for each request; null: the endpoint needs none. */
    key: () => Promise<string | null>
  }
  allowedPaths: readonly ProxyPath[]
  caps: ProxyCaps
  /** The model of every request; null: the client chooses. */
  model: string | null
  /** Null if the price of a model is unknown. */
  price: (model: string | null) => Price | null
  /** Called once for each request, after its end. */
  onExchange: (exchange: ProxyExchange) => void
  /** Revokes the grant. */
  signal: AbortSignal
}

export interface Granted {
  /** As this machine reaches it, without `/v1`. */
  baseUrl: string
  /** Sent instead of the key, as `x-api-key` or as a bearer token. */
  token: string
  usage(): ProxyUsage
  /** From now on every request is refused. Resolves when none is open to the endpoint. */
  revoke(): Promise<void>
}

export interface ProxyUsage {
  /** Answers that were begun, or are waited for; no refusal of the endpoint, count of tokens or list of models. */
  requests: number
  /** Tokens, with what was read from the cache and written to it. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Null if the price of a model that answered is unknown. */
  costUsd: number | null
  /** Whole answers that did not say how many tokens they took. */
  unmeasured: number
}

/** A request and what came of it, whole up to a bound. Neither the key nor the capability is in it. */
export interface ProxyExchange {
  /** Milliseconds since 1970. */
  at: number
  durationMs: number
  path: string
  model: string | null
  /** As the client names them; null if it does not. */
  session: string | null
  agent: string | null
  request: Buffer
  /** Null: the endpoint did not answer. */
  status: number | null
  answer: Buffer
  /** `refused`: by this proxy, `torn`: the endpoint or the client went away. */
  end: 'whole' | 'torn' | 'refused' | 'failed'
  /** Of `answer`, its end is left out. */
  isShortened: boolean
  /** Why, if there is no whole answer. */
  error: string | null
  usage: { input: number; output: number; cacheRead: number | null; cacheWrite: number | null } | null
  costUsd: number | null
}
