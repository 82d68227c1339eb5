/**
 * Forwards a client's requests to the API it would ask itself, with the same bytes in both directions: key, headers, body and
 * stream. Figures are read from a copy that the answer never waits for.
 */
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import { readBody, TooLong } from '#server/listeners/body.ts'
import { identify } from '#server/listeners/connections.ts'
import { createHttpServer } from '#server/listeners/http-server.ts'
import type { StreamedAnswer, Usage } from '../llm/types.ts'
import { isLoopback } from '../tools/loopback.ts'
import { type AnswerUsage, usageOfJson, usageOfStream } from './answer-usage.ts'
import { ProxyRefusal, sendRefusal } from './refusal.ts'
import { asksForCheck } from './safety-check.ts'

/** Why there is no whole answer, if the client did not wait for it. */
export const CLIENT_ENDED = 'The client ended the request.'

/** One request that was forwarded. It has no key, body or query. */
export interface Passed {
  at: number
  path: string
  session: string | null
  agent: string | null
  /** The answer's own word; null if it named none. */
  model: string | null
  /** Null if there was no answer. */
  status: number | null
  firstByteMs: number | null
  ms: number
  usage: Usage | null
  /** Of a session in auto mode: whether it asked for the check of its commands. */
  asksForCheck: boolean | null
  error: string | null
}

/** What a request is answered with, and what the API answered. */
export type { IncomingMessage as ProxyAnswer, ServerResponse as ProxyResponse }

/** A request before it is passed on. `signal` fires when the client is gone. */
export interface Asked {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  passed: Passed
  signal: AbortSignal
  /** Asks the API itself; `headers` are names and values. */
  send: (path: string, headers: readonly string[], body: Buffer) => Promise<IncomingMessage>
}

export interface PassThroughOptions {
  /** 0: any free one. */
  port: number
  /** The first part of the path, so that no other program of this machine or page in a browser can use it. */
  token: string
  /** The API's address. Throws a sentence if it cannot be used. */
  upstream: () => URL
  /** Answers a request itself, and writes down how; false: it is passed on as it came. */
  answer?: (asked: Asked, response: ServerResponse) => Promise<boolean>
  /** `answer`: what was read of the answer, for requests that were passed on. `body`: null if the request was not read. */
  onPassed: (passed: Passed, answer: StreamedAnswer | null, body: Buffer | null) => void
  /** Gets what `answer` or `onPassed` threw: a fault of ours keeps no request from the API. */
  onFault: (error: unknown) => void
}

export interface PassThrough {
  port: number
  close: () => Promise<void>
}

/** A burst of new connections is not yet known to be one client's. */
const LIMITS = { maxConnections: 4096, maxWaiting: 512, maxPerCaller: 1000, requestTimeoutMs: 120_000 }
/** The limit of the Messages API. */
const MAX_BODY = 32 * 1024 * 1024
/** Figures of an answer that is read faster than it is decoded are given up. */
const MAX_BEHIND = 8 * 1024 * 1024
/** Far above the longest answer of the API; of a longer one there are no figures. */
const MAX_READ = 64 * 1024 * 1024
const MAX_ID = 200
const DECODERS = { gzip: zlib.createGunzip, deflate: zlib.createInflate, br: zlib.createBrotliDecompress, zstd: zlib.createZstdDecompress }
/** They are about one connection only (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-[\w-]+|te|trailer|transfer-encoding|upgrade)$/i

/** Rejects with the error of the system if the port is taken. */
export async function openPassThrough({
  port,
  token,
  upstream,
  answer: answerHere,
  onPassed,
  onFault,
}: PassThroughOptions): Promise<PassThrough> {
  const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) }
  const server = createHttpServer(LIMITS)
  const allowed = (request: IncomingMessage): string => {
    const { host = '', origin } = request.headers
    const path = pathAfter(token, request.url ?? '')
    if (path === null) throw new ProxyRefusal(401, 'This address needs the token of Bash Gym: `bashgym router status` shows it.')
    if (origin !== undefined || !isLoopback(host.replace(/:\d+$/, '')))
      throw new ProxyRefusal(403, 'Only programs on this machine may use this address.')
    identify(request.socket, token)
    return path
  }
  const pass = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const startedAt = performance.now()
    const passed = begun(request, path)
    let read: StreamedAnswer | null = null
    let answer: IncomingMessage | null = null
    let whole: Buffer | null = null
    try {
      const body = await readBody(request, { limit: MAX_BODY }).catch((error: Error) => {
        throw error instanceof TooLong ? new ProxyRefusal(413, `The request is larger than ${MAX_BODY / 1024 / 1024} MB.`) : error
      })
      whole = body
      passed.asksForCheck = asksForCheck(request.headers, body)
      const ask = (to: string, headers: readonly string[], bytes: Buffer) =>
        answered(() => send({ method: request.method, rawHeaders: headers }, upstream(), to, bytes), response)
      const asked = { request, path, body, passed, send: ask }
      if (answerHere && (await isAnswered(answerHere, asked, response).catch(passItOn))) return
      const from = (answer = await ask(path, request.rawHeaders, body))
      response.sendDate = false // the API's own, if it sent one
      response.writeHead(from.statusCode!, from.statusMessage, passedOn(from.rawHeaders))
      passed.status = from.statusCode!
      response.flushHeaders()
      const figures = figuresOf(from)
      from.on('data', (chunk: Buffer) => {
        passed.firstByteMs ??= performance.now() - startedAt
        figures.add(chunk)
      })
      from.pipe(response)
      response.once('close', () => from.destroy())
      if (!from.closed) await new Promise((resolve) => from.once('close', resolve))
      const { content, ...found } = await figures.end()
      Object.assign(passed, found)
      read = content
      if (!from.complete) {
        passed.error = response.destroyed ? CLIENT_ENDED : 'The answer broke off.'
        response.destroy() // a cut answer stays a cut answer
      }
    } catch (error) {
      const { message } = error as Error
      passed.error = message
      answer?.destroy()
      if (response.headersSent) response.destroy()
      else
        sendRefusal(
          response,
          'anthropic',
          error instanceof ProxyRefusal ? error : new ProxyRefusal(502, `Bash Gym couldn't reach the API: ${message}.`),
        )
    } finally {
      passed.ms = performance.now() - startedAt
      try {
        onPassed(passed, read, whole)
      } catch (error) {
        onFault(error)
      }
    }
    function passItOn(error: unknown): false {
      if (response.headersSent || response.destroyed) throw error
      onFault(error)
      return false
    }
  }
  server.on('request', (request, response) => {
    try {
      void pass(request, response, allowed(request))
    } catch (error) {
      request.resume()
      sendRefusal(response, 'anthropic', error as ProxyRefusal)
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  function send(
    request: { method: string | undefined; rawHeaders: readonly string[] },
    to: URL,
    path: string,
    body: Buffer,
  ): ClientRequest {
    const isSecure = to.protocol === 'https:'
    const headers = passedOn(request.rawHeaders).flatMap((part, at, all) => (at % 2 === 1 && /^host$/i.test(all[at - 1]!) ? to.host : part))
    // A body without its length would be read as the next request on this connection.
    if (body.length > 0 && !headers.some((name, at) => at % 2 === 0 && /^content-length$/i.test(name)))
      headers.push('content-length', String(body.length))
    const sent = (isSecure ? https : http).request({
      protocol: to.protocol,
      hostname: to.hostname,
      port: to.port,
      method: request.method,
      path: `${to.pathname.replace(/\/$/, '')}${path}`,
      headers,
      setHost: false,
      agent: agents[isSecure ? 'https:' : 'http:'],
    })
    sent.end(body)
    return sent
  }

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      for (const agent of Object.values(agents)) agent.destroy()
      await closed
    },
  }
}

const begun = (request: IncomingMessage, path: string): Passed => ({
  at: Date.now(),
  path: path.split('?', 1)[0]!,
  session: idOf(request, 'x-claude-code-session-id'),
  agent: idOf(request, 'x-claude-code-agent-id'),
  model: null,
  status: null,
  firstByteMs: null,
  ms: 0,
  usage: null,
  asksForCheck: null,
  error: null,
})

/** The rest of a path that begins with the token; null if it does not. */
function pathAfter(token: string, url: string): string | null {
  const [, given = ''] = url.split('/', 2)
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  if (a.length !== b.length || !timingSafeEqual(a, b)) return null
  return url.slice(token.length + 1) || '/'
}

/** Resolves with the head of the answer. A kept connection that the API has closed meanwhile is replaced once: nothing was answered on it. */
async function answered(start: () => ClientRequest, response: ServerResponse, isSecondTry = false): Promise<IncomingMessage> {
  const sent = start()
  const onGone = () => sent.destroy(new Error(CLIENT_ENDED))
  response.once('close', onGone)
  try {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    sent.once('response', resolve).on('error', reject) // later ones are told by the end of the answer
    sent.once('close', () => reject(new Error('it closed the connection without an answer'))) // as when it offers another protocol
    const answer = await promise
    answer.on('error', () => undefined)
    return answer
  } catch (error) {
    if (isSecondTry || !sent.reusedSocket || response.destroyed || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    return answered(start, response, true)
  } finally {
    response.off('close', onGone)
  }
}

/** Names and values as they came, without those about one connection. */
function passedOn(rawHeaders: readonly string[]): string[] {
  const named = rawHeaders.filter((_, at) => at % 2 === 1 && /^connection$/i.test(rawHeaders[at - 1]!)).flatMap((value) => value.split(','))
  const dropped = new Set(named.map((name) => name.trim().toLowerCase()))
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (!HOP_BY_HOP.test(name) && !dropped.has(name.toLowerCase())) kept.push(name, rawHeaders[at + 1]!)
  }
  return kept
}

const idOf = ({ headers }: IncomingMessage, name: string): string | null => {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_ID) : null
}

/** Whether a request was answered here; resolves when the client has the answer, or is gone. */
async function isAnswered(
  answer: NonNullable<PassThroughOptions['answer']>,
  { request, ...asked }: { request: IncomingMessage } & Pick<Asked, 'path' | 'body' | 'passed' | 'send'>,
  response: ServerResponse,
): Promise<boolean> {
  const gone = new AbortController()
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  const onGone = () => gone.abort(new Error(CLIENT_ENDED))
  response.once('close', onGone)
  try {
    if (!(await answer({ ...asked, method: request.method ?? '', headers: request.headers, signal: gone.signal }, response))) return false
    await closed
    return true
  } finally {
    response.off('close', onGone)
  }
}

interface Figures {
  add: (chunk: Buffer) => void
  /** Resolves when the copy is read. */
  end: () => Promise<Pick<Passed, 'model' | 'usage'> & { content: StreamedAnswer | null }>
}

/** Reads tokens and model of an answer from a copy. It never fails, and never holds the answer back. */
function figuresOf({ statusCode, headers }: IncomingMessage): Figures {
  const type = headers['content-type'] ?? ''
  const reader = statusCode === 200 ? readerOf(type) : null
  if (reader === null) return { add: () => undefined, end: () => Promise.resolve({ model: null, usage: null, content: null }) }
  let model: string | null = null
  let start = ''
  let bytes = 0
  const read = (chunk: Buffer) => {
    if ((bytes += chunk.length) > MAX_READ) return
    if (model === null && start.length < 4096) {
      start += chunk.toString('latin1')
      model = /"model"\s*:\s*"([\w.:@/[\]-]{1,200})"/.exec(start)?.[1] ?? null
    }
    reader.add(chunk)
  }
  const decode = DECODERS[(headers['content-encoding'] ?? '') as keyof typeof DECODERS]
  const found = () => {
    if (bytes > MAX_READ) return { model, usage: null, content: null }
    const { usage, answer: content } = reader.end()
    return { model, usage, content: content ?? null }
  }
  if (!decode) return { add: read, end: () => Promise.resolve(found()) }
  const decoder = decode()
  decoder.on('data', read)
  decoder.on('error', () => undefined)
  return {
    add(chunk) {
      if (decoder.destroyed) return
      if (decoder.writableLength > MAX_BEHIND) decoder.destroy()
      else decoder.write(chunk)
    },
    async end() {
      decoder.end()
      if (!decoder.closed) await new Promise((resolve) => decoder.once('close', resolve))
      return found()
    },
  }
}

const readerOf = (type: string): AnswerUsage | null =>
  type.startsWith('text/event-stream')
    ? usageOfStream('anthropic', '/v1/messages')
    : type.startsWith('application/json')
      ? usageOfJson('anthropic', '/v1/messages')
      : null
