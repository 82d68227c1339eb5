import type { ServerResponse } from 'node:http'
import type { ProxyDialect } from './types.ts'

/** An error of the proxy itself, in the format of the API. */
export class ProxyRefusal extends Error {
  readonly status: number
  readonly end: 'refused' | 'failed'
  readonly retryAfterSec: number | null
  constructor(
    status: number,
    message: string,
    { end = 'refused', retryAfterSec = null }: { end?: 'refused' | 'failed'; retryAfterSec?: number | null } = {},
  ) {
    super(message)
    this.status = status
    this.end = end
    this.retryAfterSec = retryAfterSec
  }
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
}

/** Tells the client to retry only if the endpoint could not answer, or there were too many requests. */
export function sendRefusal(response: ServerResponse, dialect: ProxyDialect, { status, message, retryAfterSec }: ProxyRefusal): void {
  const error = { type: TYPES[status] ?? 'api_error', message }
  const body = JSON.stringify(dialect === 'anthropic' ? { type: 'error', error } : { error: { ...error, param: null, code: null } })
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-should-retry': String(status === 429 || status >= 500),
    ...(retryAfterSec !== null && { 'retry-after': String(retryAfterSec) }),
  })
  response.end(body)
}
