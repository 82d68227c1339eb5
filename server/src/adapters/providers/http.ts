import { ProviderError, type FailureKind } from './types.ts'

/** Far above any answer that was asked for: what is longer is none. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_REASON_CHARS = 300

interface Post {
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
  signal: AbortSignal
  reason: (answer: unknown) => string | null
  /** Never to stand in an error, even where the provider repeats it. */
  secret: string | null
}

/** Sends JSON and returns the JSON of the answer. Follows no redirect: it would carry key and text elsewhere. */
export async function post({ url, headers, body, timeoutMs, signal, reason, secret }: Post): Promise<unknown> {
  signal.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  const broken = (error: unknown, sent: boolean) => {
    if (signal.aborted) return signal.reason as Error
    if (timeout.aborted) return new ProviderError('timeout', { detail: `It was given ${timeoutMs / 1000} s.`, mayCost: true })
    return new ProviderError('unreachable', { detail: detailOf(error), mayCost: sent || !REFUSED.has(codeOf(error)) })
  }
  let response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
  } catch (error) {
    throw broken(error, false)
  }
  let text
  try {
    text = await textOf(response)
  } catch (error) {
    throw error instanceof ProviderError ? error : broken(error, true)
  }
  const answer = parsed(text)
  if (response.ok) {
    if (answer === undefined) throw new ProviderError('bad_answer', { detail: 'It is not JSON, or was cut off.', mayCost: true })
    return answer
  }
  const said = reason(answer)
  const safe = said === null ? undefined : (secret === null ? said : said.replaceAll(secret, '[key]')).slice(0, MOST_REASON_CHARS)
  throw new ProviderError(kindOf(response.status), {
    status: response.status,
    retryAfterMs: retryAfter(response.headers.get('retry-after')),
    ...(safe !== undefined && { detail: `It says: ${safe}` }),
  })
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > MOST_BYTES) throw new ProviderError('bad_answer', { detail: `It is longer than ${MOST_BYTES} bytes.`, mayCost: true })
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function kindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 429) return 'rate_limited'
  if (status === 408 || status >= 500) return 'overloaded'
  return 'refused'
}

/** Seconds or a date (RFC 9110 §10.2.3), in ms from now. */
function retryAfter(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

/** The connection was never made, so nothing can have been charged. */
const REFUSED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

const causeOf = (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause : error)
const codeOf = (error: unknown): string => {
  const code = (causeOf(error) as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
/** A code of the network says enough; messages may hold addresses with more than a host. */
const detailOf = (error: unknown): string => (codeOf(error) === '' ? 'The connection broke off.' : `(${codeOf(error)})`)
