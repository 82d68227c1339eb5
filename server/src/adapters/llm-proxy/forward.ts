/** Forwards one request to the endpoint with the user's key, and streams the answer back. */
import http, { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import https from 'node:https'
import { once } from 'node:events'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import { readBody, TooLong } from '#server/listeners/body.ts'
import { shallowText } from '#server/listeners/json.ts'
import { addressOf } from '../llm/client.ts'
import { jsonOf } from '../tools/json.ts'
import { type AnswerUsage, DIALECTS, usageOfJson, usageOfStream } from './answer-usage.ts'
import { toClient, toEndpoint } from './headers.ts'
import type { Meter, Metered } from './meter.ts'
import { DEFAULT_OUTPUT, outgoing, type Outgoing, withLimit } from './outgoing/index.ts'
import { partsOf } from './outgoing/parts.ts'
import { withoutSecrets } from './outgoing/secrets.ts'
import { redact, redactingStream } from './redact.ts'
import { ProxyRefusal, sendRefusal } from './refusal.ts'
import type { ProxyExchange, ProxyGrant, ProxyPath } from './types.ts'

/** The limit of the Messages API. */
export const MAX_REQUEST_BYTES = 32 * 1024 * 1024
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
const MAX_RECORDED_BYTES = 16 * 1024 * 1024
/** Longest time without a byte from the endpoint; a local model may need minutes to read a long prompt. */
const IDLE_MS = 15 * 60_000

const DECODERS = { gzip: zlib.createGunzip, deflate: zlib.createInflate, br: zlib.createBrotliDecompress, zstd: zlib.createZstdDecompress }

export interface Forward {
  grant: Pick<ProxyGrant, 'upstream' | 'onExchange' | 'model' | 'clear'>
  meter: Meter
  path: ProxyPath
  /** How long an answer is read after its client has gone, so that its tokens are counted. */
  abandonedMs: number
  /** Closes both connections. */
  signal: AbortSignal
}

/** Resolves when both connections are closed. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { grant, meter, path, abandonedMs, signal }: Forward,
): Promise<void> {
  // prettier-ignore
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
    removed: [],
    error: null,
    usage: null,
    costUsd: null,
  }
  const client = watchClient(request, signal, meter.needsTokens ? abandonedMs : 0)
  let key: string | null = null
  let usage: AnswerUsage | null = null
  let metered: Metered | null = null
  let isSent = false
  let isRead = false
  let isBrokenOff = false
  let requestClosed: Promise<unknown> = Promise.resolve()
  const recorded: Buffer[] = []
  try {
    exchange.request = await bodyOf(request, client.here)
    const asked = outgoing(path, objectIn(exchange.request))
    const remove = (name: string) => void exchange.removed.push(name)
    exchange.removed = asked.removed
    exchange.model = asked.model
    requireModel(grant, asked.model)
    key = await keyOf(grant)
    const url = urlOf(grant, path, key)
    const headers = { ...DIALECTS[dialect].headers(key), ...toEndpoint(request.headers, remove) }
    asked.body = await cleared(grant, asked, client.here)
    const { body, askedOutput: output, answers } = asked
    const parts = partsOf(path, dialect, body)
    metered = await meter.begin({ model: asked.model, parts, output, defaultOutput: DEFAULT_OUTPUT[path], answers }, client.here)
    const upstreamRequest = send({ url, headers, body: bytesOf(path, asked, metered.output, url), signal: client.reading })
    upstreamRequest.once('finish', () => (isSent = true))
    requestClosed = new Promise((resolve) => upstreamRequest.once('close', resolve))
    const answer = await answerOf(upstreamRequest, url, client.reading)
    answer.once('error', () => (isBrokenOff = !client.reading.aborted))
    exchange.status = answer.statusCode!
    usage = answer.statusCode === 200 ? usageOf(answer, dialect, path) : null
    refuseRedirect(answer, url)
    if (!client.gone.aborted) {
      response.writeHead(
        answer.statusCode!,
        toClient(answer.headers, (value) => redact(value, key)),
      )
      response.flushHeaders()
    }
    const decoder = DECODERS[(answer.headers['content-encoding'] ?? '') as keyof typeof DECODERS]
    const recorder = observed((chunk, before) => {
      usage?.add(chunk)
      if (before + chunk.length <= MAX_RECORDED_BYTES) recorded.push(chunk)
      else exchange.isShortened = true
    })
    await pipeline([answer, ...(decoder ? [decoder()] : []), redactingStream(key), recorder, writerTo(response, client.gone)], {
      signal: client.reading,
    })
    isRead = true
    client.gone.throwIfAborted()
  } catch (error) {
    const refusal = error instanceof ProxyRefusal ? error : null
    exchange.end = refusal?.end ?? 'torn'
    const reason = signal.aborted
      ? 'The run has ended.'
      : isBrokenOff
        ? 'The endpoint closed the connection before the end of its answer.'
        : client.gone.aborted
          ? 'The client closed the connection.'
          : null
    exchange.error = redact(refusal?.message ?? reason ?? messageOf(error), key)
    if (refusal && !response.headersSent && !response.destroyed)
      sendRefusal(response, dialect, new ProxyRefusal(refusal.status, exchange.error, refusal))
    else response.destroy() // so that the client does not treat a part as the complete answer
  } finally {
    client.close()
    // a request that was sent may be charged, unless the endpoint said that it refused it
    if (exchange.status === null ? !isSent : exchange.status !== 200) metered?.refused()
    else if (metered) {
      const end = usage?.end() ?? { usage: null, isFinal: false }
      exchange.usage = end.usage
      exchange.costUsd = metered.answered({ ...end, isWhole: isRead })
    }
    exchange.answer = Buffer.concat(recorded)
    exchange.durationMs = performance.now() - startedAt
    await requestClosed
    grant.onExchange(exchange)
  }
}

interface Client {
  /** Aborted when the client closes its connection before the end of the answer. */
  gone: AbortSignal
  /** Aborted then, and when the run ends. */
  here: AbortSignal
  /** Aborted when the answer is no longer read: `abandonedMs` later. */
  reading: AbortSignal
  close(): void
}

/** Watches the socket: a response that waits behind another one on its connection is not told of its end. */
function watchClient({ socket }: IncomingMessage, run: AbortSignal, abandonedMs: number): Client {
  const gone = new AbortController()
  const late = new AbortController()
  let timer: NodeJS.Timeout | null = null
  const onClose = () => {
    gone.abort()
    if (abandonedMs === 0) late.abort()
    else timer = setTimeout(() => late.abort(), abandonedMs)
  }
  socket.once('close', onClose)
  if (socket.destroyed) onClose()
  return {
    gone: gone.signal,
    here: AbortSignal.any([run, gone.signal]),
    reading: AbortSignal.any([run, late.signal]),
    close() {
      socket.off('close', onClose)
      if (timer) clearTimeout(timer)
    },
  }
}

/** Passes an answer on while its client is there, as fast as the client reads; then only reads it. */
const writerTo = (response: ServerResponse, gone: AbortSignal): Writable => {
  /** Calls `done` at the event of the response, or when the client has gone. */
  const wait = (event: 'drain' | 'finish', done: () => void): void => {
    const end = () => {
      response.off(event, end)
      gone.removeEventListener('abort', end)
      done()
    }
    response.once(event, end)
    gone.addEventListener('abort', end)
  }
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (gone.aborted || response.write(chunk)) done()
      else wait('drain', done)
    },
    final(done) {
      if (gone.aborted) return done()
      wait('finish', done)
      response.end()
    },
  })
}

/** Nothing is sent that could not be searched. */
async function cleared({ clear }: Forward['grant'], { body, removed }: Outgoing, signal: AbortSignal): Promise<Outgoing['body']> {
  if (clear === null) return body
  try {
    return await withoutSecrets(body, clear, (name) => void (removed.includes(name) || removed.push(name)), signal)
  } catch (error) {
    signal.throwIfAborted()
    throw new ProxyRefusal(503, `The request was not sent, because it could not be searched for secrets: ${messageOf(error)}`, {
      end: 'failed',
    })
  }
}

function bytesOf(path: ProxyPath, { body, askedOutput }: Outgoing, output: number | null, url: URL): Buffer {
  return Buffer.from(JSON.stringify(output === null || output === askedOutput ? body : withLimit(path, body, output, url.hostname)))
}

/** Claude Code uses smaller Claude models beside its own. Any other name could be a router's for a model with web search. */
const CLAUDE = /^claude-[\w.-]+(?:@\d+)?(?:\[1m\])?$/
function requireModel({ model: planned, upstream }: Forward['grant'], model: string | null): void {
  if (model === planned || (upstream.dialect === 'anthropic' && CLAUDE.test(model ?? ''))) return
  if (planned !== null) throw new ProxyRefusal(403, `This run may only use the model ${planned}.`)
  if (upstream.dialect === 'anthropic' && /[:/]/.test(model ?? ''))
    throw new ProxyRefusal(403, `Start the run with --model ${model} to use this model.`)
}

interface UpstreamCall {
  url: URL
  headers: OutgoingHttpHeaders
  body: Buffer
  signal: AbortSignal
}

function send({ url, headers, body, signal }: UpstreamCall): ClientRequest {
  signal.throwIfAborted()
  const upstreamRequest = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length },
    agent: false, // a separate connection for each request
    timeout: IDLE_MS,
    signal,
  })
  upstreamRequest.on('timeout', () => upstreamRequest.destroy(new Error(`no data for ${IDLE_MS / 60_000} minutes`)))
  upstreamRequest.on('error', () => undefined) // an error after the start of the answer is reported by its stream
  upstreamRequest.end(body)
  return upstreamRequest
}

/** Resolves when the endpoint starts to answer. */
async function answerOf(upstreamRequest: ClientRequest, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const [answer] = (await once(upstreamRequest, 'response').catch((error: NodeJS.ErrnoException) => {
    signal.throwIfAborted()
    throw new ProxyRefusal(502, `Couldn't reach ${url.host} (${error.code ?? error.message}).`, { end: 'failed' })
  })) as [IncomingMessage]
  return answer
}

/** No redirect is followed, because it would send key and text elsewhere. */
function refuseRedirect(answer: IncomingMessage, url: URL): void {
  if (answer.statusCode! < 300 || answer.statusCode! >= 400) return
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
