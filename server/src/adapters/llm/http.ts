import { httpRequest } from '../tools/http-request.ts'
import { jsonOf } from '../tools/json.ts'
import { retryAfterMs } from '../tools/retry-after.ts'
import { kindOf, ProviderError, type Failure, type FailureKind } from './error.ts'
import type { Refusal } from './types.ts'

/** Far above the length of any requested answer; a longer one is an error. */
const MAX_BYTES = 4 * 1024 * 1024
/** For a stream, which repeats names and numbers with each token. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024
/** For the body of a refusal. */
const MAX_REFUSAL_BYTES = 64 * 1024
const MAX_REASON_CHARS = 2000

export interface Call {
  url: string
  headers: Record<string, string>
  body: string
  /** Longest wait for the answer; for a stream, for its next bytes. Null for no limit. */
  timeoutMs: number | null
  signal: AbortSignal
  refusal: (answer: unknown) => Refusal | null
  /** Must not appear in an error, even if the provider repeats it. */
  secret: string | null
}

/** Sends JSON and returns the JSON of the answer. */
export async function post(call: Call): Promise<unknown> {
  const chunks = await send(call, 'application/json', { maxBytes: MAX_BYTES, isStream: false })
  const answer = jsonOf(await textOf(chunks))
  if (answer === undefined) throw errorOf(call, 'bad_answer', { detail: 'It is not JSON, or was cut off.', mayCost: true })
  return answer
}

/** Sends JSON and yields the bytes of the answer as they arrive, until the signal fires or the caller stops reading. */
export const postForStream = (call: Call): Promise<AsyncGenerator<Uint8Array, void>> =>
  send(call, 'text/event-stream', { maxBytes: MAX_STREAM_BYTES, isStream: true })

export const errorOf = ({ url }: Pick<Call, 'url'>, kind: FailureKind, failure: Failure): ProviderError =>
  new ProviderError(kind, { provider: new URL(url).host, ...failure })

/** The provider's message, without the key and shortened. */
export const reasonIn = (refusal: Refusal | null, secret: string | null): string | null => {
  if (!refusal) return null
  return (secret === null ? refusal.reason : refusal.reason.replaceAll(secret, '[key]')).slice(0, MAX_REASON_CHARS)
}

/** Resolves when the provider starts to answer. Follows no redirect, which would send key and text elsewhere. */
async function send(call: Call, accept: string, { maxBytes, isStream }: { maxBytes: number; isStream: boolean }) {
  const { url, headers, body, timeoutMs, signal } = call
  signal.throwIfAborted()
  const deadline = createDeadline(timeoutMs)
  const connectionError = (error: unknown, isSent: boolean) => {
    if (signal.aborted) return signal.reason as Error
    if (deadline.signal.aborted) return errorOf(call, 'timeout', { detail: `The limit is ${timeoutMs! / 1000} s.`, mayCost: true })
    return errorOf(call, 'unreachable', { detail: detailOf(error), mayCost: isSent || !NOT_CONNECTED.has(codeOf(error)) })
  }
  async function* bytes(response: Response): AsyncGenerator<Uint8Array, void> {
    let count = 0
    try {
      for await (const chunk of response.body ?? []) {
        count += chunk.byteLength
        if (count > maxBytes) throw errorOf(call, 'bad_answer', { detail: `It is longer than ${maxBytes} bytes.`, mayCost: true })
        if (isStream) deadline.extend()
        yield chunk
      }
    } catch (error) {
      throw error instanceof ProviderError ? error : connectionError(error, true)
    } finally {
      deadline.clear()
    }
  }
  let response
  try {
    response = await httpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...headers },
      body,
      signal: AbortSignal.any([signal, deadline.signal]),
      keepAlive: true,
    })
  } catch (error) {
    deadline.clear()
    throw connectionError(error, false)
  }
  if (response.ok) return bytes(response)
  const refusal = call.refusal(jsonOf(await readLimited(bytes(response))))
  signal.throwIfAborted()
  throw errorOf(call, kindOf(response.status), {
    status: response.status,
    reason: reasonIn(refusal, call.secret),
    tooLong: refusal?.tooLong ?? null,
    retryAfterMs: retryAfterMs(response.headers),
  })
}

/** Fires `ms` after its creation or the last `extend`. */
function createDeadline(ms: number | null) {
  const controller = new AbortController()
  const timer = ms === null ? null : setTimeout(() => controller.abort(), ms)
  timer?.unref()
  return { signal: controller.signal, extend: () => void timer?.refresh(), clear: () => clearTimeout(timer ?? undefined) }
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(chunks)).toString('utf8')
}

/** The body of a refusal; empty if it is too long or incomplete, because the status is already known. */
async function readLimited(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const found: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      found.push(chunk)
      if ((bytes += chunk.byteLength) > MAX_REFUSAL_BYTES) return ''
    }
  } catch {
    return ''
  }
  return Buffer.concat(found).toString('utf8')
}

/** Errors before a connection exists, so that nothing was charged. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'CONNECT_TIMEOUT'])

const causeOf = (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause : error)
const codeOf = (error: unknown): string => {
  const code = (causeOf(error) as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
/** Uses only the code, because a message may contain more than the host of an address. */
const detailOf = (error: unknown): string => (codeOf(error) === '' ? 'The connection was lost.' : `(${codeOf(error)})`)
