/** Takes OTLP over HTTP on a loopback port: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody, TooLong } from '#server/listeners/body.ts'
import { identify } from '#server/listeners/connections.ts'
import { createHttpServer } from '#server/listeners/http-server.ts'
import { isSame, tokenOf } from '#server/listeners/tokens.ts'
import { isLoopback } from '../tools/loopback.ts'
import { type Body, TooLarge, Unreadable } from './decode.ts'
import { SIGNALS } from './messages.ts'

export interface OtlpListenerOptions {
  /** 0: any free one. */
  port: number
  /** Callers send it as `x-bashgym-token`, or as a bearer token. */
  token: string
  /** Takes a body, and resolves with the number of its spans that cannot be stored. Rejects with `Unreadable`, `TooLarge` or `Busy`. */
  take: (body: Body) => Promise<number>
  onRefused: () => void
}

export interface OtlpListener {
  port: number
  close: () => Promise<void>
}

/** Too much is waiting to be stored. */
export class Busy extends Error {}

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Of a body, as it is sent and unpacked. Exporters send at most some hundred spans at once. */
const MAX_SENT = 16 * 1024 * 1024
const MAX_UNPACKED = 64 * 1024 * 1024
const TYPES = new Map([
  ['application/json', true],
  ['application/x-protobuf', false],
])
const PATH = new RegExp(`^/v1/(${SIGNALS.join('|')})/?$`)

/** Rejects with the error of the system if the port is taken. */
export async function openOtlpListener({ port, token, take, onRefused }: OtlpListenerOptions): Promise<OtlpListener> {
  const server = createHttpServer()
  const signalOf = ({ url = '', method, headers }: IncomingMessage): Body['signal'] => {
    const { host = '', origin, authorization } = headers
    if (origin !== undefined || !isLoopback(host.replace(/:\d+$/, '')))
      throw new Refused(403, 'Only programs on this machine may send telemetry here.')
    const given = headers['x-bashgym-token'] ?? tokenOf(authorization) ?? ''
    if (typeof given !== 'string' || !isSame(given, token))
      throw new Refused(401, 'The header x-bashgym-token is missing or wrong: Settings → Telemetry shows it.')
    const signal = PATH.exec(url.split('?', 1)[0]!)?.[1] as Body['signal'] | undefined // by PATH
    if (signal === undefined) throw new Refused(404, 'Telemetry is taken at /v1/traces, /v1/logs and /v1/metrics.')
    if (method !== 'POST') throw new Refused(405, 'Telemetry is sent with POST.')
    return signal
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
    const isJson = TYPES.get(type)
    try {
      const signal = signalOf(request)
      identify(request.socket, token)
      if (isJson === undefined) throw new Refused(415, 'Send application/x-protobuf or application/json.')
      const encoding = request.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'gzip' && encoding !== 'identity') throw new Refused(415, 'Send the body with gzip, or as it is.')
      const bytes = await readBody(request, { limit: MAX_SENT })
      const rejected = await take({ signal, bytes, isJson, isGzip: encoding === 'gzip', limit: MAX_UNPACKED })
      const partial =
        rejected === 0 ? {} : { partialSuccess: { rejectedSpans: String(rejected), errorMessage: 'Their ids are not valid.' } }
      // an empty message is the success of all three signals in protobuf
      response.writeHead(200, { 'content-type': type }).end(isJson ? JSON.stringify(partial) : '')
    } catch (error) {
      if (!(error instanceof Busy)) onRefused()
      const { status, message } = refusalOf(error)
      if (response.headersSent || response.destroyed) return void response.destroy()
      const headers = { 'content-type': 'application/json', ...(status === 503 && { 'retry-after': '1' }) }
      response.writeHead(status, headers).end(JSON.stringify({ message }))
    }
  }
  server.on('request', (request, response) => void answer(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function refusalOf(error: unknown): { status: number; message: string } {
  if (error instanceof Refused) return error
  if (error instanceof TooLong || error instanceof TooLarge)
    return {
      status: 413,
      message: `The body is larger than ${MAX_SENT / 1024 / 1024} MB, or than ${MAX_UNPACKED / 1024 / 1024} MB unpacked.`,
    }
  if (error instanceof Busy) return { status: 503, message: 'Too much telemetry is waiting to be stored. Send it again later.' }
  if (error instanceof Unreadable) return { status: 400, message: `The body can't be read: ${error.message}.` }
  return { status: 500, message: 'The telemetry was not stored.' }
}
