/** Models behind an HTTP endpoint: one question, one answer, one attempt. */
import { anthropic } from './anthropic.ts'
import { post } from './http.ts'
import { openai } from './openai.ts'
import { ProviderError, type ChatRequest, type Completion, type Dialect } from './types.ts'

export { createKeyFile } from './keys.ts'
export { createLimiter } from './limiter.ts'
export { withRetries } from './retry.ts'
export { ProviderError } from './types.ts'
export type { ChatRequest, Completion } from './types.ts'
export type { Limiter } from './limiter.ts'

export interface ProviderOptions {
  dialect: 'anthropic' | 'openai'
  /** Such as `https://api.anthropic.com`, or `https://host/v1` of an OpenAI-compatible one. */
  baseUrl: string
  key: string | null
  timeoutMs: number
}

/**
 * `Sendable` is what this provider may send. Stages ask for one of text that the privacy gate cleared, so that the
 * compiler refuses any other.
 */
export interface Provider<Sendable extends ChatRequest> {
  /** The request as it goes out, without the headers that hold the key. */
  preview(request: Sendable): { url: string; body: string }
  /** One attempt. Throws `ProviderError`, or the reason of `signal`. */
  ask(request: Sendable, signal: AbortSignal): Promise<Completion>
}

const DIALECTS: Record<ProviderOptions['dialect'], Dialect> = { anthropic, openai }

export function createProvider<Sendable extends ChatRequest>(options: ProviderOptions): Provider<Sendable> {
  const { key, timeoutMs } = options
  const dialect = DIALECTS[options.dialect]
  const url = addressOf(options.baseUrl, dialect.path, key !== null)
  const preview = (request: Sendable) => ({ url, body: JSON.stringify(dialect.body(request)) })
  return {
    preview,
    async ask(request, signal) {
      const { body } = preview(request)
      const answer = await post({ url, headers: dialect.headers(key), body, timeoutMs, signal, reason: dialect.reason, secret: key })
      const completion = dialect.read(answer)
      if (!completion) throw new ProviderError('bad_answer', { detail: 'It does not have the shape of this API.', mayCost: true })
      return completion
    },
  }
}

/** Throws a sentence where a key would travel in the clear, or the address is none. */
function addressOf(baseUrl: string, path: string, withKey: boolean): string {
  const address = URL.parse(baseUrl)
  if (!address || !/^https?:$/.test(address.protocol)) throw new Error(`"${baseUrl}" is not an http or https address.`)
  if (address.username || address.password || address.search || address.hash)
    throw new Error('The address of a provider has no user name, no query and no fragment.')
  if (address.protocol === 'http:' && withKey && !isLoopback(address.hostname))
    throw new Error(`The key would travel unencrypted to ${address.host}: use https, or no key.`)
  return `${address.href.replace(/\/+$/, '')}${path}`
}

const isLoopback = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
