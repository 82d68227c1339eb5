import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Express, json, type Request, type RequestHandler, type Response } from 'express'
import { type Bytes, type Implementation, type Route, takesIdempotencyKey } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { answer, bySpecificity, queryOf } from './answer.ts'
import { callerOf } from './caller.ts'

/** Largest JSON body, in bytes. */
export const MAX_BODY = 10 * 1024 * 1024
/** Limits for the body of an unknown caller: bytes, and how long it may take to arrive. */
const [MAX_UNKNOWN_BODY, UNKNOWN_BODY_MS] = [8 * 1024, 5000]

export interface MountOptions {
  validateResponses: boolean
}

/** Mounts every implementation. Unknown addresses under /api answer 404, unsupported methods 405. */
export function mountRoutes(app: Express, implementations: readonly Implementation[], options: MountOptions): void {
  const body = jsonBody()
  const ordered = bySpecificity(implementations)
  for (const implementation of ordered) {
    const { route } = implementation
    const handlers = route.body ? [body, serve(implementation, options)] : [serve(implementation, options)]
    app[route.method](expressPath(route.path), ...handlers)
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
      body: bodyOf(implementation.route, request),
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

/** The parsed body, with the idempotency key from the header. */
function bodyOf(route: Route, request: Request): unknown {
  const body = (request.body as unknown) ?? {}
  const idempotencyKey = request.get('idempotency-key')
  if (idempotencyKey === undefined || !takesIdempotencyKey(route) || Array.isArray(body)) return body
  return { idempotencyKey, ...body }
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
function jsonBody(): RequestHandler {
  const form = { strict: true, inflate: false, type: 'application/json' } as const
  const [ofKnown, ofUnknown] = [json({ ...form, limit: MAX_BODY }), json({ ...form, limit: MAX_UNKNOWN_BODY })]
  return (request, response, next) => {
    const isEmpty = request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0
    if (isEmpty) return next()
    if (!request.is('application/json')) {
      throw new AppError('invalid_request', {
        message: `The body must be JSON (content-type: application/json), not "${request.headers['content-type'] ?? 'without a content type'}".`,
      })
    }
    const done = (error?: unknown) => next(error === undefined ? undefined : bodyError(error))
    if (callerOf(response).kind !== 'anyone') return ofKnown(request, response, done)
    const cut = setTimeout(() => request.destroy(), UNKNOWN_BODY_MS)
    ofUnknown(request, response, (error?: unknown) => {
      clearTimeout(cut)
      done(error)
    })
  }
}

function bodyError(error: unknown): unknown {
  const { type, message, status } = error as { type?: string; message?: string; status?: number }
  if (type === 'entity.too.large') return new AppError('payload_too_large')
  if (type === 'entity.parse.failed')
    return new AppError('invalid_request', { message: `The body is not a JSON object or list: ${message}.`, cause: error })
  if (status !== undefined && status < 500)
    return new AppError('invalid_request', { message: `The body could not be read: ${message}.`, cause: error })
  return error
}
