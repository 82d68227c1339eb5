/** HTTP calls of the command line. `fetch` is not used because it fails after 300 s without a response, and commands may take an hour. */
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { AppError } from '#contracts/errors.ts'

export interface HttpCall {
  method: string
  headers?: Record<string, string>
  body?: string | undefined
  /** Aborts the call, even while its response is read. */
  signal?: AbortSignal | undefined
}

/**
 * Waits for the response without a timeout. Rejects with the reason of `signal`, or `server_unreachable`. Connections are
 * not reused, because the server may close an idle one at the moment of the next call.
 */
export function httpCall(url: string, { method, headers = {}, body, signal }: HttpCall): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const bytes = Buffer.from(body ?? '')
  const request = (url.startsWith('https:') ? https : http).request(url, {
    method,
    agent: false,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': bytes.length }) },
    ...(signal && { signal }),
  })
  request.once('response', (response) => resolve(responseOf(response)))
  request.once('error', (error: NodeJS.ErrnoException) => reject(signal?.aborted ? (signal.reason as Error) : unreachable(url, error)))
  request.end(bytes)
  return promise
}

/** Statuses whose response has no body, not even an empty one. */
const BODILESS = new Set([204, 205, 304])

function responseOf(response: http.IncomingMessage): Response {
  const status = response.statusCode ?? 500
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
  if (BODILESS.has(status)) response.resume()
  return new Response(BODILESS.has(status) ? null : Readable.toWeb(response), { status, headers })
}

const unreachable = (url: string, cause: NodeJS.ErrnoException) =>
  new AppError('server_unreachable', { message: `${new URL(url).origin} did not answer: ${cause.code ?? cause.message}.`, cause })
