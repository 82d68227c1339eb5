import { isLoopback } from '#server/adapters/tools/loopback.ts'
import { anthropic } from './anthropic/dialect.ts'
import { requestCost, type TokenPrice } from '#server/prices/request-cost.ts'
import { isSealed, type ClearedRequest } from './cleared.ts'
import { kindOf } from './error.ts'
import { readStream } from './events.ts'
import { errorOf, post, postForStream, reasonIn, type Call } from './http.ts'
import { openai } from './openai/dialect.ts'
import { text } from './openai/text.ts'
import type { ChatRequest, Completion, Dialect, StreamEvent } from './types.ts'

export interface Endpoint {
  dialect: 'anthropic' | 'openai' | 'text'
  /** Such as `https://api.anthropic.com`, or `https://host/v1` for an OpenAI-compatible endpoint. */
  baseUrl: string
  key: string | null
  /** Longest wait for the answer; for a stream, for its next bytes. Null for no limit. */
  timeoutMs: number | null
  price: TokenPrice | null
  /** Further fields of the request body for this endpoint. */
  extras?: Record<string, unknown>
}

/** Calls the models of one endpoint. `ask` and `stream` make one attempt, and throw `ProviderError` or the reason of `signal`. */
export interface ModelClient<Request extends ChatRequest> {
  /** The request that `ask` would send, without the headers with the key. */
  preview(request: Request): { url: string; body: string }
  ask(request: Request, signal: AbortSignal): Promise<Completion>
  /**
   * Resolves when the provider starts to answer, so that a refused request can be retried. The connection stays open until
   * the events are read or `signal` fires.
   */
  stream(request: Request, signal: AbortSignal): Promise<AsyncGenerator<StreamEvent, void>>
}

const DIALECTS: Record<Endpoint['dialect'], Dialect> = { anthropic, openai, text }

/** For any endpoint: sends only requests that the privacy gate cleared. */
export const createModelClient = (endpoint: Endpoint): ModelClient<ClearedRequest> =>
  connect(endpoint, (request) => {
    if (!isSealed(request))
      throw new Error(
        'This request was not sent: the privacy gate did not clear it, or it was changed afterwards. Create it with `clearRequest` of a gate.',
      )
  })

/** For a server on this machine: sends any request. */
export function createLoopbackClient(endpoint: Endpoint): ModelClient<ChatRequest> {
  const { hostname } = new URL(endpoint.baseUrl)
  requireLoopback(hostname)
  return connect(endpoint, () => undefined)
}

function requireLoopback(hostname: string): void {
  if (!isLoopback(hostname)) throw new Error(`${hostname} is not this machine, so requests to it must pass the privacy gate.`)
}

/** Sends JSON to a server on this machine and returns its JSON answer. Throws `ProviderError` or the reason of `signal`. */
export function postToLoopback(url: string, body: unknown, key: string, signal: AbortSignal): Promise<unknown> {
  const { hostname } = new URL(url)
  requireLoopback(hostname)
  return post({ url, headers: openai.headers(key), body: JSON.stringify(body), timeoutMs: null, signal, refusal: openai.refusal, secret: key }) // prettier-ignore
}

function connect<Request extends ChatRequest>(endpoint: Endpoint, check: (request: Request) => void): ModelClient<Request> {
  const { key, timeoutMs, price, extras } = endpoint
  const dialect = DIALECTS[endpoint.dialect]
  const url = addressOf(endpoint.baseUrl, dialect.path, key !== null)
  const bodyOf = (request: Request, more = {}) => JSON.stringify({ ...dialect.body(request), ...extras, ...more })
  const callOf = (request: Request, body: string, signal: AbortSignal): Call => {
    check(request)
    return { url, headers: dialect.headers(key), body, timeoutMs, signal, refusal: dialect.refusal, secret: key }
  }
  return {
    preview: (request) => ({ url, body: bodyOf(request) }),
    async ask(request, signal) {
      const call = callOf(request, bodyOf(request), signal)
      const answer = dialect.read(await post(call))
      if (!answer) throw errorOf(call, 'bad_answer', { detail: 'It does not have the shape of this API.', mayCost: true })
      return { ...answer, costUsd: requestCost(price, answer.usage) }
    },
    async stream(request, signal) {
      const call = callOf(request, bodyOf(request, dialect.streaming), signal)
      return events(dialect, call, price, await postForStream(call))
    },
  }
}

/** The events of an answer, then the complete answer. */
async function* events(
  dialect: Dialect,
  call: Call,
  price: TokenPrice | null,
  bytes: AsyncGenerator<Uint8Array>,
): AsyncGenerator<StreamEvent, void> {
  const reader = dialect.createReader()
  yield* readStream(bytes, reader, dialect.endMark, {
    unreadable: (detail) => errorOf(call, 'bad_answer', { detail, mayCost: true }),
    brokenOff: () => errorOf(call, 'unreachable', { detail: 'The answer is incomplete.', mayCost: true }),
    refused: (refusal) =>
      errorOf(call, kindOf(refusal.status ?? 500), { reason: reasonIn(refusal, call.secret), tooLong: refusal.tooLong, mayCost: true }),
  })
  const answer = reader.answer()
  yield { type: 'done', completion: { ...answer, costUsd: answer.usage && requestCost(price, answer.usage) } }
}

/** Throws a sentence if the address is invalid, or a key would be sent unencrypted. */
export function addressOf(baseUrl: string, path: string, withKey: boolean): string {
  const address = URL.parse(baseUrl)
  if (!address || !/^https?:$/.test(address.protocol)) throw new Error(`"${baseUrl}" is not an http or https address.`)
  if (address.username || address.password || address.search || address.hash)
    throw new Error('The address of a provider has no user name, no query and no fragment.')
  if (address.protocol === 'http:' && withKey && !isLoopback(address.hostname) && !address.hostname.endsWith('.localhost'))
    throw new Error(`The key would be sent unencrypted to ${address.host}: use https, or no key.`)
  return `${address.href.replace(/\/+$/, '')}${path}`
}
