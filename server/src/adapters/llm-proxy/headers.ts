import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** An allow list, because not all names of headers with credentials are known. */
const TO_ENDPOINT = /^(?:content-type|accept|user-agent|x-app|idempotency-key|openai-beta|anthropic-(?!api-key)[\w-]+|x-stainless-[\w-]+|x-claude-code-[\w-]+)$/ // prettier-ignore
const TO_CLIENT = /^(?:content-type|cache-control|request-id|x-request-id|retry-after|retry-after-ms|x-should-retry|x-ratelimit-[\w-]+|anthropic-[\w-]+|openai-(?:model|processing-ms|version))$/ // prettier-ignore

/** Requests an uncompressed answer, because it is read on its way. */
export const toEndpoint = (headers: IncomingHttpHeaders): OutgoingHttpHeaders => ({
  ...kept(headers, TO_ENDPOINT),
  'accept-encoding': 'identity',
})
export const toClient = (headers: IncomingHttpHeaders, redact: (text: string) => string): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(kept(headers, TO_CLIENT)).map(([name, value]) => [name, redact(String(value))]))

const kept = (headers: IncomingHttpHeaders, names: RegExp): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => names.test(name) && value !== undefined))

/** The capabilities that a request shows: some clients send theirs in both places. */
export function tokensIn({ 'x-api-key': key, authorization }: IncomingHttpHeaders): string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return [key, bearer].filter((token): token is string => typeof token === 'string' && token !== '')
}
