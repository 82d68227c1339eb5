import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** Allow lists, because the names of all headers with credentials are not known. */
const TO_ENDPOINT = /^(?:content-type|accept|user-agent|x-app|idempotency-key|openai-beta|anthropic-(?!api-key)[\w-]+|x-stainless-[\w-]+|x-claude-code-[\w-]+)$/ // prettier-ignore
const TO_CLIENT = /^(?:content-type|cache-control|request-id|x-request-id|retry-after|retry-after-ms|x-should-retry|x-ratelimit-[\w-]+|anthropic-[\w-]+|openai-(?:model|processing-ms|version))$/ // prettier-ignore

/** Requests an uncompressed answer, because the proxy reads it. */
export const toEndpoint = (headers: IncomingHttpHeaders): OutgoingHttpHeaders => ({
  ...matching(headers, TO_ENDPOINT),
  'accept-encoding': 'identity',
})
export const toClient = (headers: IncomingHttpHeaders, redact: (text: string) => string): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(matching(headers, TO_CLIENT)).map(([name, value]) => [name, redact(String(value))]))

const matching = (headers: IncomingHttpHeaders, names: RegExp): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => names.test(name) && value !== undefined))

/** The capabilities in a request; some clients send theirs in both headers. */
export function tokensIn({ 'x-api-key': key, authorization }: IncomingHttpHeaders): string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return [key, bearer].filter((token): token is string => typeof token === 'string' && token !== '')
}
