import { AppError, type ErrorCode } from '#contracts/errors.ts'
import { fromSnake, toSnake } from '#contracts/snake-case.ts'
import { UsageError } from '../../command.ts'
import { httpCall } from '../../http-call.ts'
import type { Exec, Listed, Result, Sandboxes, Spec, Step } from './sandboxes.ts'

export interface BareService {
  url: string
  token: string | null
  /** `bashgym sandbox serve`, which takes all options; the service of SoS ignores what it does not know. */
  isOurs: boolean
}

/** Sandboxes of a service that speaks the bare protocol (`server/src/http/bare-sandboxes.ts`). */
export function overBare({ url, token, isOurs }: BareService): Sandboxes {
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const call = async (method: 'GET' | 'POST', path: string, more: Options = {}) => {
    const answer = await httpCall(`${url}${path}`, {
      method,
      headers: {
        ...authorization,
        ...(more.body && { 'content-type': 'application/json' }),
        ...(more.key !== undefined && { 'idempotency-key': more.key }),
      },
      body: more.body && JSON.stringify(toSnake(more.body)),
      signal: more.signal,
    })
    const text = await answer.text()
    if (!answer.ok) throw errorOf(answer.status, text)
    return text
  }
  const json = async <T>(...request: Parameters<typeof call>): Promise<T> => fromSnake(JSON.parse(await call(...request))) as T // the shapes of bare-sandboxes.ts
  const at = (id: string, act: string) => `/sandboxes/${encodeURIComponent(id)}/${act}`
  return {
    async create(spec, key) {
      if (!isOurs) requirePlain(url, spec, key)
      const { image = isOurs ? 'host' : 'ubuntu:latest', setupCommands = [], ...more } = spec
      return json('POST', '/sandboxes', { body: { image, setupCommands, ...(isOurs && more) }, key })
    },
    async start(id, wait, signal) {
      if (!isOurs && !wait) throw new UsageError(`${url} always lets a start wait in line; leave --no-wait out.`)
      await call('POST', at(id, 'start'), { body: isOurs ? { wait } : undefined, signal })
      return { id }
    },
    async exec(id, request, signal) {
      if (!isOurs) requirePlainExec(url, request)
      return json<Result>('POST', at(id, 'exec?full=1'), { body: request, signal })
    },
    async stop(id, remove) {
      await call('POST', at(id, 'stop'), { body: { remove } })
      return {}
    },
    async list() {
      const items = await json<(Omit<Listed, 'setupCommands'> & { setupCommands: string })[]>('GET', '/sandboxes?full=1')
      return { items: items.map((one) => ({ ...one, setupCommands: one.setupCommands === '' ? [] : [one.setupCommands] })), capacity: null }
    },
    async trajectory(id) {
      const { trajectory, ...rest } = await json<{ sandboxId: string; commandCount: number; trajectory: BareStep[] }>('GET', at(id, 'trajectory?full=1')) // prettier-ignore
      return { ...rest, trajectory: trajectory.map(({ timestamp, result = null, ...step }) => ({ ...step, at: timestamp, result })) }
    },
    trajectoryText: (id) => call('GET', at(id, 'trajectory/formatted')),
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

/** What is asked for and would be ignored is refused: less isolation than asked for is none. Sessions of SoS have a terminal or none as it likes. */
function requirePlain(url: string, { image: _image, setupCommands: _setup, tty: _tty, ...more }: Spec, key: string | undefined): void {
  const asked = Object.entries(more).filter(([, value]) => value !== null && (typeof value !== 'object' || Object.keys(value).length > 0))
  const names = [...asked.map(([name]) => name), ...(key === undefined ? [] : ['idempotency-key'])]
  if (names.length > 0) throw new UsageError(`${url} takes only an image and set-up commands, not: ${names.join(', ')}.`)
}

function requirePlainExec(url: string, { command: _command, standalone: _standalone, ...more }: Exec): void {
  const names = Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (names.length > 0) throw new UsageError(`${url} takes only a command, and --standalone, not: ${names.join(', ')}.`)
}

/** Its errors are a status and a sentence. */
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
