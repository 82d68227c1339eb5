import { AppError, type ErrorCode } from '#contracts/errors.ts'
import { fromSnake, toSnake } from '#server/snake-case.ts'
import { UsageError } from '../../command.ts'
import { httpCall } from '../../http-call.ts'
import type { Exec, Listed, Result, Sandboxes, Spec, Step } from './sandboxes.ts'

export interface BareService {
  url: string
  token: string | null
  /** True for `bashgym sandbox serve`, which accepts all options; the SoS service ignores the ones it does not know. */
  isOurs: boolean
}

/** Sandboxes of a service with the bare protocol (`server/src/http/bare-sandboxes.ts`). */
export function overBare({ url, token, isOurs }: BareService): Sandboxes {
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const call = async (method: 'GET' | 'POST', path: string, more: Options = {}) => {
    const response = await httpCall(`${url}${path}`, {
      method,
      headers: {
        ...authorization,
        ...(more.body && { 'content-type': 'application/json' }),
        ...(more.key !== undefined && { 'idempotency-key': more.key }),
      },
      body: more.body && JSON.stringify(toSnake(more.body)),
      signal: more.signal,
    })
    const text = await response.text()
    if (!response.ok) throw errorOf(response.status, text)
    return text
  }
  const json = async <T>(...request: Parameters<typeof call>): Promise<T> => fromSnake(JSON.parse(await call(...request))) as T // the shapes of bare-sandboxes.ts
  const sandboxPath = (id: string, action: string) => `/sandboxes/${encodeURIComponent(id)}/${action}`
  return {
    async create(spec, { idempotencyKey: key } = {}) {
      if (!isOurs) requirePlain(url, spec, key)
      const { image = isOurs ? 'host' : 'ubuntu:latest', setupCommands = [], ...more } = spec
      return json('POST', '/sandboxes', { body: { image, setupCommands, ...(isOurs && more) }, key })
    },
    async start(id, wait, signal) {
      if (!isOurs && !wait) throw new UsageError(`${url} always waits in the queue; remove --no-wait.`)
      await call('POST', sandboxPath(id, 'start'), { body: isOurs ? { wait } : undefined, signal })
      return { id }
    },
    async exec(id, request, signal) {
      if (!isOurs) requirePlainExec(url, request)
      return json<Result>('POST', sandboxPath(id, 'exec?full=1'), { body: request, signal })
    },
    async stop(id, remove) {
      await call('POST', sandboxPath(id, 'stop'), { body: { remove } })
      return {}
    },
    async list() {
      const items = await json<(Omit<Listed, 'setupCommands'> & { setupCommands: string })[]>('GET', '/sandboxes?full=1')
      return { items: items.map((one) => ({ ...one, setupCommands: one.setupCommands === '' ? [] : [one.setupCommands] })), capacity: null }
    },
    async trajectory(id) {
      const { trajectory, ...rest } = await json<{ sandboxId: string; commandCount: number; trajectory: BareStep[] }>('GET', sandboxPath(id, 'trajectory?full=1')) // prettier-ignore
      return {
        ...rest,
        trajectory: trajectory.map(({ timestamp, result = null, ...step }) => ({ ...step, at: timestamp, result })),
      }
    },
    trajectoryText: (id) => call('GET', sandboxPath(id, 'trajectory/formatted')),
    interrupt: null,
    usage: null,
    putFile: null,
  }
}

interface Options {
  body?: object | undefined
  key?: string | undefined
  signal?: AbortSignal | undefined
}
type BareStep = Omit<Step, 'at' | 'result'> & { timestamp: number; result?: Step['result'] }

/** Refuses options that the service would ignore, such as isolation settings. SoS itself decides whether a session has a terminal. */
function requirePlain(url: string, { image: _image, setupCommands: _setup, tty: _tty, ...more }: Spec, key: string | undefined): void {
  const unsupported = Object.entries(more).filter(
    ([, value]) => value !== null && (typeof value !== 'object' || Object.keys(value).length > 0),
  )
  const names = [...unsupported.map(([name]) => name), ...(key === undefined ? [] : ['idempotency-key'])]
  if (names.length > 0) throw new UsageError(`${url} takes only an image and set-up commands, not: ${names.join(', ')}.`)
}

function requirePlainExec(url: string, { command: _command, standalone: _standalone, ...more }: Exec): void {
  const names = Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (names.length > 0) throw new UsageError(`${url} takes only a command, and --standalone, not: ${names.join(', ')}.`)
}

/** Errors of the bare protocol are a status and plain text. */
function errorOf(status: number, text: string): AppError {
  const message = text.trim().slice(0, 1000) || `The server answered ${status}.`
  return new AppError(CODES[status] ?? 'internal', { message })
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'command_blocked',
  404: 'sandbox_not_found',
  409: 'session_busy',
  413: 'payload_too_large',
  422: 'invalid_request',
  429: 'sandbox_capacity',
  500: 'engine_failed',
  503: 'backend_unavailable',
  504: 'session_lost',
}
