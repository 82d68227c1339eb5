import { isLoopback } from '#server/adapters/tools/loopback.ts'
import { retryAfterMs } from '#server/adapters/tools/retry-after.ts'
import { AppError } from '#contracts/errors.ts'

/** A server with the API of the Hugging Face Hub. */
export interface Endpoint {
  /** Without a slash at its end. */
  address: string
  token: string | null
  /** Longest wait for an answer, and for its next bytes. */
  idleMs: number
}

/** A transient failure: a lost connection, or an answer that asks for a retry. */
export class HubBroken extends Error {
  readonly retryAfterMs: number | null
  constructor(message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

const MAX_REDIRECTS = 5
const IDLE_MS = 60_000

/** Throws `hub_not_set_up` if the address is invalid, or a token would be sent unencrypted. */
export function endpointOf(address: string, token: string | null, idleMs = IDLE_MS): Endpoint {
  const url = URL.parse(address)
  const refuse = (message: string) => new AppError('hub_not_set_up', { message, hint: 'Change it in Settings → Models.' })
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse(`The address of the model hub, "${address}", is not an http or https address.`)
  if (url.username || url.password || url.search || url.hash)
    throw refuse('The address of the model hub must have no user name, no query and no fragment.')
  if (token !== null && url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refuse(`The access token would be sent unencrypted to ${url.host}: use https, or no token.`)
  return { address: url.href.replace(/\/+$/, ''), token, idleMs }
}

/** An answer whose body must be read before its timeout, which each `extend` restarts. */
export interface Answer {
  response: Response
  /** Call for each chunk: restarts the timeout. */
  extend: () => void
  /** Must be called when the body is read or not needed. */
  close: () => void
}

/**
 * Requests an address of the hub. Follows redirects itself, because the token may go only to the hub's origin.
 * Throws `HubBroken` for transient failures, `AppError` for others.
 */
export async function request(
  endpoint: Endpoint,
  where: string,
  options: { what: string; headers?: Record<string, string>; signal: AbortSignal },
): Promise<Answer> {
  // prettier-ignore
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(), endpoint.idleMs)
  const close = () => clearTimeout(timer)
  const signal = AbortSignal.any([options.signal, idle.signal])
  const endpointUrl = new URL(endpoint.address)
  let url = new URL(`${endpoint.address}${where}`)
  try {
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(url, { headers: headersOf(endpoint, url, endpointUrl, options.headers), redirect: 'manual', signal })
      if (response.ok) return { response, extend: () => void timer.refresh(), close }
      const next = response.headers.get('location')
      if (response.status < 300 || response.status > 399 || next === null) throw await refusalOf(response, options.what)
      await response.body?.cancel()
      if (redirects >= MAX_REDIRECTS)
        throw badAnswer(`${endpointUrl.host} redirected more than ${MAX_REDIRECTS} times for ${options.what}.`)
      url = redirectTarget(url, next, endpointUrl)
    }
  } catch (error) {
    close()
    options.signal.throwIfAborted()
    if (error instanceof AppError || error instanceof HubBroken) throw error
    throw connectionError(url, error)
  }
}

/** The error for a lost connection or a timeout. */
export const connectionError = (url: URL | string, error: unknown): HubBroken => {
  const code = ((error as Error).cause as { code?: unknown } | undefined)?.code
  const why = (error as Error).name === 'AbortError' ? 'no data for too long' : typeof code === 'string' ? code : 'the connection was lost' // prettier-ignore
  return new HubBroken(`Couldn't reach ${new URL(url).host} (${why}).`, { cause: error })
}

export const badAnswer = (message: string, cause?: unknown): AppError =>
  new AppError('hub_bad_answer', { message, hint: 'Try again later, or use another hub (Settings → Models).', cause })

/** The error for the user after the last attempt. */
export const unreachable = (error: HubBroken): AppError =>
  new AppError('hub_unreachable', {
    message: error.message,
    hint: 'Check the connection and the address of the hub in Settings → Models, then try again. What was downloaded is kept.',
    cause: error,
  })

function headersOf({ token }: Endpoint, url: URL, endpointUrl: URL, more: Record<string, string> | undefined): Record<string, string> {
  const isOwnOrigin = token !== null && url.origin === endpointUrl.origin
  return { 'user-agent': 'bashgym', 'accept-encoding': 'identity', ...more, ...(isOwnOrigin && { authorization: `Bearer ${token}` }) }
}

function redirectTarget(from: URL, location: string, endpointUrl: URL): URL {
  const next = URL.parse(location, from.href)
  if (!next || !/^https?:$/.test(next.protocol)) throw badAnswer(`${from.host} redirected to something that is not a web address.`)
  if (from.protocol === 'https:' && next.protocol === 'http:') throw badAnswer(`${from.host} redirected to an unencrypted address.`)
  // A remote hub must not make us send requests to programs on this machine.
  if (isLoopback(next.hostname) && !isLoopback(endpointUrl.hostname)) throw badAnswer(`${from.host} redirected to this machine.`)
  return next
}

/** Why the hub refused; its header distinguishes cases with the same status. */
async function refusalOf(response: Response, what: string): Promise<Error> {
  await response.body?.cancel()
  const { status, headers } = response
  const code = headers.get('x-error-code')
  const { host } = new URL(response.url)
  if (code === 'GatedRepo' || (status === 403 && code === null))
    return new AppError('model_gated', {
      message: `${host} gives ${what} only to accounts that have been granted access.`,
      hint: 'Accept the terms on its page, then save an access token of that account in Settings → Models.',
    })
  if (status === 401 || status === 404)
    return new AppError('model_not_on_hub', {
      message: `${host} has no ${what}${code === 'RevisionNotFound' ? ' at this revision' : ''}, or this account may not see it.`,
      hint: 'Check the spelling. A private one needs an access token (Settings → Models).',
    })
  if (status === 429 || status === 408 || status >= 500)
    return new HubBroken(`${host} answered ${status} for ${what}.`, { retryAfterMs: retryAfterMs(headers) })
  return badAnswer(`${host} answered ${status} for ${what}.`)
}
