/** Forwards one request to the endpoint with the user's key, and streams the answer back. */
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { once } from 'node:events'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import { readBody, TooLong } from '#server/listeners/body.ts'
import { shallowText } from '#server/listeners/json.ts'
import { addressOf } from '../llm/client.ts'
import { jsonOf } from '../tools/json.ts'
import { type AnswerUsage, DIALECTS, usageOfJson, usageOfStream } from './answer-usage.ts'
import { toClient, toEndpoint } from './headers.ts'
import type { Meter } from './meter.ts'
import { redact, redactingStream } from './redact.ts'
import { ProxyRefusal, sendRefusal } from './refusal.ts'
import type { ProxyExchange, ProxyGrant, ProxyPath } from './types.ts'

/** The limit of the Messages API. */
export const MAX_REQUEST_BYTES = 32 * 1024 * 1024
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
const MAX_RECORDED_BYTES = 16 * 1024 * 1024
/** Longest time without a byte from the endpoint; a local model may need minutes to read a long prompt. */
const IDLE_MS = 15 * 60_000

const ANSWERS: ReadonlySet<ProxyPath> = new Set(['/v1/messages', '/v1/chat/completions', '/v1/responses'])
const DECODERS = { gzip: zlib.createGunzip, deflate: zlib.createInflate, br: zlib.createBrotliDecompress, zstd: zlib.createZstdDecompress }

export interface Forward {
  grant: Pick<ProxyGrant, 'upstream' | 'onExchange'>
  meter: Meter
  path: ProxyPath
  /** Closes both connections. */
  signal: AbortSignal
}

/** Resolves when both connections are closed. */
export async function forward(request: IncomingMessage, response: ServerResponse, { grant, meter, path, signal }: Forward): Promise<void> {
  const { dialect } = grant.upstream
  const startedAt = performance.now()
  const exchange: ProxyExchange = {
    at: Date.now(),
    durationMs: 0,
    path,
    model: null,
    session: text(request.headers['x-claude-code-session-id'] ?? request.headers['x-session-id'] ?? request.headers['session-id']),
    agent: text(request.headers['x-claude-code-agent-id']),
    request: Buffer.alloc(0),
    status: null,
    answer: Buffer.alloc(0),
    end: 'whole',
    isShortened: false,
    error: null,
    usage: null,
    costUsd: null,
  }
  const clientClosed = new AbortController()
  response.once('close', () => clientClosed.abort())
  const ended = AbortSignal.any([signal, clientClosed.signal])
  const isForAnswer = ANSWERS.has(path)
  let key: string | null = null
  let usage: AnswerUsage | null = null
  let isCounted = false
  let isBrokenOff = false
  let requestClosed: Promise<unknown> = Promise.resolve()
  const recorded: Buffer[] = []
  try {
    exchange.request = await bodyOf(request, ended)
    const body = request.method === 'POST' ? objectIn(exchange.request) : null
    exchange.model = text(body?.['model'])
    key = await keyOf(grant)
    if (isForAnswer) {
      meter.begin(exchange.model)
      isCounted = true
    }
    const url = urlOf(grant, path, key)
    const upstreamRequest = send(request, {
      url,
      key,
      dialect,
      body: body && path === '/v1/chat/completions' ? withUsage(body) : exchange.request,
      signal: ended,
    })
    requestClosed = new Promise((resolve) => upstreamRequest.once('close', resolve))
    const answer = await answerOf(upstreamRequest, url, ended)
    answer.once('error', () => (isBrokenOff = !ended.aborted))
    exchange.status = answer.statusCode!
    usage = isForAnswer && answer.statusCode === 200 ? usageOf(answer, dialect, path) : null
    response.writeHead(
      answer.statusCode!,
      toClient(answer.headers, (value) => redact(value, key)),
    )
    response.flushHeaders()
    const decoder = DECODERS[(answer.headers['content-encoding'] ?? '') as keyof typeof DECODERS]
    const recorder = observed((chunk, before) => {
      usage?.add(chunk)
      if (before + chunk.length <= MAX_RECORDED_BYTES) recorded.push(chunk)
      else exchange.isShortened = true
    })
    await pipeline([answer, ...(decoder ? [decoder()] : []), redactingStream(key), recorder, response], { signal: ended })
  } catch (error) {
    const refusal = error instanceof ProxyRefusal ? error : null
    exchange.end = refusal?.end ?? 'torn'
    const reason = signal.aborted
      ? 'The run has ended.'
      : isBrokenOff
        ? 'The endpoint closed the connection before the end of its answer.'
        : clientClosed.signal.aborted
          ? 'The client closed the connection.'
          : null
    exchange.error = redact(refusal?.message ?? reason ?? messageOf(error), key)
    if (refusal && !response.headersSent && !response.destroyed)
      sendRefusal(response, dialect, new ProxyRefusal(refusal.status, exchange.error, refusal))
    else response.destroy() // so that the client does not treat a part as the complete answer
  } finally {
    if (isCounted && exchange.status !== 200) meter.cancel()
    else if (isCounted) {
      exchange.usage = usage?.end() ?? null
      exchange.costUsd = meter.end(exchange.model, exchange.usage, exchange.end === 'whole')
    }
    exchange.answer = Buffer.concat(recorded)
    exchange.durationMs = performance.now() - startedAt
    await requestClosed
    grant.onExchange(exchange)
  }
}

interface UpstreamCall {
  url: URL
  key: string | null
  dialect: ProxyGrant['upstream']['dialect']
  body: Buffer
  signal: AbortSignal
}

function send(request: IncomingMessage, { url, key, dialect, body, signal }: UpstreamCall): ClientRequest {
  signal.throwIfAborted()
  const upstreamRequest = (url.protocol === 'https:' ? https : http).request(url, {
    method: request.method,
    headers: {
      ...DIALECTS[dialect].headers(key),
      ...toEndpoint(request.headers),
      ...(request.method === 'POST' && { 'content-length': body.length }),
    },
    agent: false, // a separate connection for each request
    timeout: IDLE_MS,
    signal,
  })
  upstreamRequest.on('timeout', () => upstreamRequest.destroy(new Error(`no data for ${IDLE_MS / 60_000} minutes`)))
  upstreamRequest.on('error', () => undefined) // an error after the start of the answer is reported by its stream
  upstreamRequest.end(request.method === 'POST' ? body : undefined)
  return upstreamRequest
}

/** Resolves when the endpoint starts to answer. Follows no redirect, which would send key and text elsewhere. */
async function answerOf(upstreamRequest: ClientRequest, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const [answer] = (await once(upstreamRequest, 'response').catch((error: NodeJS.ErrnoException) => {
    signal.throwIfAborted()
    throw new ProxyRefusal(502, `Couldn't reach ${url.host} (${error.code ?? error.message}).`, { end: 'failed' })
  })) as [IncomingMessage]
  if (answer.statusCode! < 300 || answer.statusCode! >= 400) return answer
  answer.destroy()
  throw new ProxyRefusal(400, `${url.host} answered with a redirect (${answer.statusCode}), which is not followed. Enter the address it leads to.`, { end: 'failed' }) // prettier-ignore
}

/** Counts the tokens of an answer. Throws if the answer's type is not one of this API. */
function usageOf(answer: IncomingMessage, dialect: ProxyGrant['upstream']['dialect'], path: ProxyPath): AnswerUsage {
  const type = answer.headers['content-type'] ?? ''
  if (/^text\/event-stream\b/i.test(type)) return usageOfStream(dialect, path)
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return usageOfJson(dialect, path)
  answer.destroy()
  throw new ProxyRefusal(502, `The endpoint answered with ${type === '' ? 'no type' : `"${type}"`}, not with JSON or a stream of events. Check its address.`, { end: 'failed' }) // prettier-ignore
}

function urlOf({ upstream: { baseUrl, dialect } }: Forward['grant'], path: ProxyPath, key: string | null): URL {
  try {
    return new URL(addressOf(baseUrl, dialect === 'openai' ? path.replace(/^\/v1/, '') : path, key !== null))
  } catch (error) {
    throw new ProxyRefusal(400, (error as Error).message, { end: 'failed' })
  }
}

function keyOf({ upstream }: Forward['grant']): Promise<string | null> {
  return upstream.key().catch((error: unknown) => {
    throw new ProxyRefusal(403, `Couldn't read the key of the endpoint: ${messageOf(error)}`, { end: 'failed' })
  })
}

async function bodyOf(request: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  try {
    return await readBody(request, { limit: MAX_REQUEST_BYTES, signal })
  } catch (error) {
    throw error instanceof TooLong ? new ProxyRefusal(413, `The request is longer than ${MAX_REQUEST_BYTES} bytes.`) : error
  }
}

function shallow(body: Buffer): string {
  try {
    return shallowText(body)
  } catch (error) {
    throw new ProxyRefusal(400, `The body of the request could not be read: ${messageOf(error)}.`)
  }
}

function objectIn(body: Buffer): Record<string, unknown> {
  const value = jsonOf(shallow(body))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new ProxyRefusal(400, 'The body of the request is not a JSON object.')
}

/** Endpoints report the tokens of a stream only if the request asks for them. */
const withUsage = (body: Record<string, unknown>): Buffer =>
  Buffer.from(
    JSON.stringify(
      body['stream'] === true ? { ...body, stream_options: { ...(body['stream_options'] as object), include_usage: true } } : body,
    ),
  )

function observed(onChunk: (chunk: Buffer, before: number) => void): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onChunk(chunk, bytes)
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) return done(new Error(`The answer is longer than ${MAX_ANSWER_BYTES} bytes.`))
      done(null, chunk)
    },
  })
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
