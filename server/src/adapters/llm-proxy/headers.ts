import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** Allow lists, because the names of all headers with credentials are not known. */
const TO_ENDPOINT = /^(?:accept|user-agent|x-app|x-stainless-[\w-]+)$/
const TO_CLIENT = /^(?:content-type|cache-control|request-id|x-request-id|retry-after|retry-after-ms|x-should-retry|x-ratelimit-[\w-]+|anthropic-[\w-]+|openai-(?:model|processing-ms|version))$/ // prettier-ignore
/** Betas that change only the form of requests and answers: none with which the endpoint reaches a network or keeps files. */
const BETAS = /^(?:claude-code|interleaved-thinking|context-management|mid-conversation-tool-changes|thinking-token-count|thinking-display-updates|effort|per-turn-control|advanced-tool-use|prompt-caching|prompt-caching-scope|fine-grained-tool-streaming|structured-outputs|token-efficient-tools|output-128k|redact-thinking|tool-examples)-\d{4}-?\d{2}-?\d{2}$/ // prettier-ignore

/** Requests an uncompressed answer, because the proxy reads it. `removed`: is called with the name of each beta that is not sent. */
export function toEndpoint(headers: IncomingHttpHeaders, removed: (name: string) => void): OutgoingHttpHeaders {
  const betas = String(headers['anthropic-beta'] ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '')
  const sent = betas.filter((beta) => BETAS.test(beta))
  for (const beta of betas) if (!BETAS.test(beta)) removed(`anthropic-beta: ${beta.slice(0, 60)}`)
  return {
    ...matching(headers, TO_ENDPOINT),
    ...(sent.length > 0 && { 'anthropic-beta': sent.join(',') }),
    'content-type': 'application/json',
    'accept-encoding': 'identity',
  }
}
export const toClient = (headers: IncomingHttpHeaders, redact: (text: string) => string): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(matching(headers, TO_CLIENT)).map(([name, value]) => [name, redact(String(value))]))

const matching = (headers: IncomingHttpHeaders, names: RegExp): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => names.test(name) && value !== undefined))

/** The capabilities in a request; some clients send theirs in both headers. */
export function tokensIn({ 'x-api-key': key, authorization }: IncomingHttpHeaders): string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return [key, bearer].filter((token): token is string => typeof token === 'string' && token !== '')
}
