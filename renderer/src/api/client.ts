import { createClient, type Transport } from '#contracts/derive/client.ts'
import { AppError } from '#contracts/errors.ts'
import { routes } from '#contracts/routes/index.ts'
import { heard, useConnection } from './connection.ts'

/** The server could not be reached at all: no status, no body. */
export class UnreachableError extends Error {
  readonly hint = 'The page tries again by itself. If the app was closed, start it again.'
  constructor(cause: unknown) {
    super('The server is not reachable.', { cause })
    this.name = 'UnreachableError'
  }
}

/** The browser holds about 64 KB of such bodies at a time. */
const MOST_KEPT_ALIVE = 4096

/** Same origin, with the cookie that `POST /api/session` (or the desktop shell) has set. */
const transport: Transport = async ({ method, path, body, signal }) => {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      // an act that was pressed arrives, also when the page is left or loaded anew at once
      keepalive: method !== 'GET' && (body?.length ?? 0) <= MOST_KEPT_ALIVE,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
      ...(signal ? { signal } : {}),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new UnreachableError(cause)
  }
  heard()
  if (response.status === 401 && path !== '/api/session') useConnection.setState({ state: 'signed-out' })
  return response
}

/** One method a route of the contract. */
export const api = createClient(routes, transport)
export type Api = typeof api

/** True for failures that another try may mend: the server was away or busy. */
export const isPassing = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof AppError && error.code === 'database_busy')
