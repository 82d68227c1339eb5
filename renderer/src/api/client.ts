import { createClient, errorOf, type Transport } from '#contracts/derive/client.ts'
import { AppError } from '#contracts/errors.ts'
import { routes } from '#contracts/routes/index.ts'
import { confirming } from './confirmation.ts'
import { markReceived, useConnection } from './connection.ts'
import { sessionKey } from './session-key.ts'

/** The server could not be reached at all: no status, no body. */
export class UnreachableError extends Error {
  readonly hint = 'The page reconnects automatically. If you closed the app, start it again.'
  constructor(cause: unknown) {
    super('The server is not reachable.', { cause })
    this.name = 'UnreachableError'
  }
}

/** The browser keeps at most about 64 KB of keepalive bodies. */
const MAX_KEPT_ALIVE = 4096

/** Same origin, with the session key of this browser. */
const transport: Transport = async (request) => {
  const key = sessionKey()
  const response = await send(request, key)
  if (response.status !== 401 || request.path === '/api/session') return response
  const newer = sessionKey()
  if (newer !== key) return send(request, newer) // another tab has signed in meanwhile
  const signedOutBecause = key === null ? null : await reasonOf(response.clone())
  useConnection.setState({ state: 'signed-out', signedOutBecause })
  return response
}

const reasonOf = async (response: Response): Promise<string | null> => (await errorOf(response)).message

async function send({ method, path, body, signal }: Parameters<Transport>[0], key: string | null): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      credentials: 'omit',
      // a request that the user started is sent even if the page is left or reloaded at once
      keepalive: method !== 'GET' && (body?.length ?? 0) <= MAX_KEPT_ALIVE,
      headers: {
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new UnreachableError(cause)
  }
  markReceived()
  return response
}

/** One method per route of the contract. */
export const api = createClient(routes, confirming(transport))
export type Api = typeof api

/** True for failures that a retry may fix: the server was unreachable or busy. */
export const isPassing = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof AppError && error.code === 'database_busy')
