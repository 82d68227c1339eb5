/** The one way of the command line to an HTTP server. `fetch` gives up after 300 s without an answer; commands may take an hour. */
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { AppError } from '#contracts/errors.ts'

export interface HttpCall {
  method: string
  headers?: Record<string, string>
  body?: string | undefined
  /** Ends the call, also while its answer is read. */
  signal?: AbortSignal | undefined
}

/**
 * Waits for the answer as long as it takes. Rejects with the reason of `signal`, or `server_unreachable`. Each call has a
 * connection of its own: one that was kept may be closed by the server just as the next call goes out.
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
  request.once('response', (answer) => resolve(responseOf(answer)))
  request.once('error', (error: NodeJS.ErrnoException) => reject(signal?.aborted ? (signal.reason as Error) : unreachable(url, error)))
  request.end(bytes)
  return promise
}

/** Statuses whose answer has no body, not even an empty one. */
const BODILESS = new Set([204, 205, 304])

function responseOf(answer: http.IncomingMessage): Response {
  const status = answer.statusCode ?? 500
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
  if (BODILESS.has(status)) answer.resume()
  return new Response(BODILESS.has(status) ? null : Readable.toWeb(answer), { status, headers })
}

const unreachable = (url: string, cause: NodeJS.ErrnoException) =>
  new AppError('server_unreachable', { message: `${new URL(url).origin} did not answer: ${cause.code ?? cause.message}.`, cause })
