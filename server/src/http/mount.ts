import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Express, Request, RequestHandler, Response } from 'express'
import { type Bytes, type Implementation, type Route, takesIdempotencyKey } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { answer, bySpecificity, queryOf } from './answer.ts'
import { readBody, TooLong } from '#server/listeners/body.ts'
import { shallowText, TooDeep } from '#server/listeners/json.ts'
import { MAX_BODY } from '#server/listeners/limits.ts'
import { callerOf } from './caller.ts'

/** Limits for the body of an unknown caller: bytes, and how long it may take to arrive. */
const [MAX_UNKNOWN_BODY, UNKNOWN_BODY_MS] = [8 * 1024, 5000]

export interface MountOptions {
  validateResponses: boolean
}

/** Mounts every implementation. Unknown addresses under /api answer 404, unsupported methods 405. */
export function mountRoutes(app: Express, implementations: readonly Implementation[], options: MountOptions): void {
  const ordered = bySpecificity(implementations)
  for (const implementation of ordered) {
    app[implementation.route.method](expressPath(implementation.route.path), serve(implementation, options))
  }
  for (const path of new Set(ordered.map(({ route }) => route.path))) {
    app.all(expressPath(path), refuseOthers(ordered.filter(({ route }) => route.path === path).map(({ route }) => route.method)))
  }
  app.all('/api{/*rest}', (request) => {
    throw new AppError('not_found', { message: `Unknown address ${request.path}.`, hint: 'All addresses are listed at /docs.' })
  })
}

/** Answers other methods with 405 and the supported ones. Express answers HEAD wherever it answers GET. */
export function refuseOthers(methods: readonly string[]): RequestHandler {
  const allowed = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ')
  return (request, response) => {
    response.setHeader('allow', allowed)
    throw new AppError('method_not_allowed', { message: `${request.path} does not support ${request.method}; it supports ${allowed}.` })
  }
}

const expressPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

const serve =
  (implementation: Implementation, options: MountOptions): RequestHandler =>
  async (request, response) => {
    const disconnect = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) disconnect.abort(new DOMException('The caller disconnected.', 'AbortError'))
    })
    const call = {
      params: request.params,
      query: queryOf(new URL(request.url, 'http://self').searchParams),
      body: implementation.route.body ? withKey(implementation.route, request, (await readJson(request, response)) ?? {}) : undefined,
      signal: disconnect.signal,
      who: 'user',
      caller: callerOf(response),
    }
    const result = await answer(implementation, call, options.validateResponses)
    if (response.destroyed) return
    response.status(result.status).setHeader('cache-control', 'no-store')
    if ('json' in result) response.json(result.json)
    else await sendBytes(request, response, result.bytes)
  }

/** The body with the idempotency key from the header. */
function withKey(route: Route, request: Request, body: unknown): unknown {
  const idempotencyKey = request.get('idempotency-key')
  if (idempotencyKey === undefined || !takesIdempotencyKey(route) || Array.isArray(body)) return body
  return { idempotencyKey, ...(body as object) }
}

/** Streams with back-pressure. The first chunk is awaited before the headers are sent, so that an early failure gets an error status. */
async function sendBytes(request: Request, response: Response, { stream, fileName, contentType, bytes }: Bytes): Promise<void> {
  const chunks = stream[Symbol.asyncIterator]()
  const first = await chunks.next()
  response.setHeader('content-type', contentType)
  response.setHeader('content-disposition', disposition(fileName))
  if (bytes !== undefined) response.setHeader('content-length', bytes)
  if (request.method === 'HEAD' || first.done) {
    await chunks.return?.()
    response.end()
    return
  }
  const rest = async function* () {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  await pipeline(Readable.from(rest(), { objectMode: false }), response)
}

/** RFC 6266: an ASCII name for old clients, and the exact name. */
function disposition(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replaceAll(/['()*]/g, escapeByte)}`
}

const escapeByte = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Reads a JSON object or list of at most 10 MB. A missing body is read as `{}`. */
async function readJson(request: Request, response: Response): Promise<unknown> {
  const isEmpty = request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0
  if (isEmpty) return undefined
  const type = request.headers['content-type']
  if (!request.is('application/json'))
    throw unreadable(`it must be JSON (content-type: application/json), not "${type ?? 'without a content type'}"`)
  const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]+)/i.exec(type ?? '') ?? []
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (!/^utf-?8$/i.test(charset) || encoding !== 'identity') throw unreadable('it must be UTF-8 and not compressed')
  const isKnown = callerOf(response).kind !== 'anyone'
  const cut = isKnown ? undefined : setTimeout(() => request.destroy(), UNKNOWN_BODY_MS)
  try {
    const text = shallowText(await readBody(request, { limit: isKnown ? MAX_BODY : MAX_UNKNOWN_BODY }))
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body
  } catch (error) {
    if (error instanceof TooLong) throw new AppError('payload_too_large')
    if (error instanceof TooDeep) throw unreadable(error.message)
    if (!(error instanceof SyntaxError)) throw error
    throw new AppError('invalid_request', { message: `The body is not a JSON object or list: ${error.message}.`, cause: error })
  } finally {
    clearTimeout(cut)
  }
  throw new AppError('invalid_request', { message: 'The body is not a JSON object or list.' })
}

const unreadable = (reason: string) => new AppError('invalid_request', { message: `The body could not be read: ${reason}.` })
