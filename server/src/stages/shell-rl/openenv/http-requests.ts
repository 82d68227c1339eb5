/** The HTTP routes of OpenEnv as functions; another module listens on the port. */
import { answerRpc, parseFailure } from './mcp.ts'
import { CapacityReached, type Session, type Sessions } from './sessions.ts'
import { openapiOf, README, SCHEMAS } from './documents.ts'
import type { EnvironmentTask } from './tasks.ts'
import { actionOf, type Fields, Invalid, isFields, missing, wrongType } from './wire.ts'

export interface HttpRequest {
  method: string
  path: string
  query: URLSearchParams
  cookie: string | undefined
  body: string
}
export interface HttpAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

interface HttpContext {
  sessions: Sessions
  mode: 'simulation' | 'production'
  version: string
}

const NAME = 'terminal'
const COOKIE = 'openenv_session'

class HttpError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export async function answerHttp(request: HttpRequest, context: HttpContext): Promise<HttpAnswer> {
  try {
    return await route(request, context)
  } catch (error) {
    if (error instanceof Invalid)
      return { status: 422, body: { detail: error.issues.map((issue) => ({ ...issue, loc: ['body', ...issue.loc] })) } }
    const status = error instanceof HttpError ? error.status : error instanceof CapacityReached ? 503 : 500
    return { status, body: { detail: (error as Error).message } }
  }
}

async function route(request: HttpRequest, context: HttpContext): Promise<HttpAnswer> {
  const { method, path } = request
  const handlers = handlersOf(path, context)
  if (!handlers) throw new HttpError(404, `There is nothing at ${path}.`)
  const handler = handlers[method]
  if (!handler) throw new HttpError(405, `${path} accepts ${Object.keys(handlers).join(', ')}, not ${method}.`)
  const answer = await handler(request)
  return { status: 200, body: answer.body, ...(answer.headers && { headers: answer.headers }) }
}

type Handler = (request: HttpRequest) => Promise<Omit<HttpAnswer, 'status'>> | Omit<HttpAnswer, 'status'>

function handlersOf(path: string, context: HttpContext): Readonly<Record<string, Handler>> | null {
  const { sessions, mode, version } = context
  switch (path) {
    case '/health':
      return { GET: () => ({ body: { status: 'healthy' } }) }
    case '/metadata':
      return { GET: () => ({ body: { name: NAME, description: README.description, readme_content: README.text, version, author: 'Bash Gym', documentation_url: null } }) } // prettier-ignore
    case '/schema':
      return { GET: () => ({ body: SCHEMAS }) }
    case '/openapi.json':
      return { GET: () => ({ body: openapiOf(mode) }) }
    case '/mcp':
      return { POST: async ({ body }) => ({ body: await rpc(body, context) }) }
    case '/list_environments':
      return { GET: () => ({ body: sessions.config.tasks ? [NAME] : notSupported() }) }
    case '/reset':
    case '/step':
    case '/state':
      return mode === 'production' ? null : simulation(path, sessions)
    default:
      return taskRoutes(path, sessions)
  }
}

async function rpc(body: string, { sessions, version }: HttpContext): Promise<unknown> {
  try {
    return await answerRpc(JSON.parse(body), { sessions, own: null, version })
  } catch (error) {
    return parseFailure((error as Error).message)
  }
}

function simulation(path: '/reset' | '/step' | '/state', sessions: Sessions): Readonly<Record<string, Handler>> {
  const sessionFor = (request: HttpRequest, body: Fields = {}): Session | null => {
    const id = (typeof body['session_id'] === 'string' ? body['session_id'] : null) ?? request.query.get('session_id') ?? cookieOf(request)
    if (id === null) return null
    const session = sessions.get(id)
    if (!session) throw new HttpError(404, `There is no session ${id}. It may have ended; POST /reset begins another.`)
    return session
  }
  const cookieHeader = (session: Session) => ({ 'set-cookie': `${COOKIE}=${session.id}; Path=/; HttpOnly; SameSite=Strict` })
  if (path === '/state')
    return {
      GET: async (request) => {
        const session = sessionFor(request)
        return { body: session ? await session.run((environment) => environment.state()) : { episode_id: null, step_count: 0 } }
      },
    }
  if (path === '/reset')
    return {
      POST: async (request) => {
        const { session_id: _, ...data } = request.body.trim() === '' ? {} : bodyOf(request.body)
        const before = sessionFor(request, { session_id: _ })
        const session = before ?? sessions.create('http')
        try {
          const answer = await session.run((environment, signal) => environment.reset(data, signal))
          return { body: { ...answer, session_id: session.id }, headers: cookieHeader(session) }
        } catch (error) {
          if (!before) await sessions.close(session.id)
          throw error
        }
      },
    }
  return {
    POST: async (request) => {
      const body = bodyOf(request.body)
      const { action, timeout_s: timeout } = body
      if (action === undefined) throw new Invalid([missing('action', body)])
      if (timeout !== undefined && timeout !== null && !(typeof timeout === 'number' && timeout > 0))
        throw new Invalid([wrongType('timeout_s', 'number', timeout)])
      const step = withLocation('action', () => actionOf(action))
      const session = sessionFor(request, body)
      if (!session)
        throw new HttpError(400, 'This step has no session. Send the session_id or the cookie from the response to POST /reset.')
      const answer = await session.run((environment, signal) => environment.step(step, signal, timeout as number | undefined))
      return { body: { ...answer, session_id: session.id } }
    },
  }
}

/** Adds `key` to the location of validation errors. */
function withLocation<T>(key: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Invalid ? new Invalid(error.issues.map((issue) => ({ ...issue, loc: [key, ...issue.loc] }))) : error
  }
}

function cookieOf({ cookie = '' }: HttpRequest): string | null {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([0-9a-f-]{36})`).exec(cookie)?.[1] ?? null
}

function bodyOf(text: string): Fields {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new Invalid([{ type: 'json_invalid', loc: [], msg: 'JSON decode error', input: (error as Error).message }])
  }
  if (!isFields(body)) throw new Invalid([wrongType(null, 'dictionary', body)])
  return body
}

function notSupported(): never {
  throw new HttpError(501, 'This server was started without tasks. Start it with --tasks.')
}

const taskView = (task: EnvironmentTask, index: number) => ({
  id: task.id,
  split: task.split,
  index,
  difficulty: task.difficulty,
  instruction: task.instruction,
})

function taskRoutes(path: string, sessions: Sessions): Readonly<Record<string, Handler>> | null {
  const [, name, action] = path.split('/')
  if (action === undefined || !['splits', 'tasks', 'num_tasks', 'task', 'task_range'].includes(action)) return null
  const of = ({ body }: HttpRequest) => {
    const fields = bodyOf(body)
    const { split } = fields
    if (typeof split !== 'string') throw new Invalid([split === undefined ? missing('split', fields) : wrongType('split', 'string', split)])
    const tasks = all().ofSplit(split)
    if (!tasks) throw new HttpError(400, `There is no split "${split}". There are: ${all().splits().join(', ')}.`)
    const wholeNumber = (key: string): number => {
      const value = fields[key]
      if (typeof value !== 'number' || !Number.isSafeInteger(value))
        throw new Invalid([value === undefined ? missing(key, fields) : wrongType(key, 'integer', value)])
      if (value < 0 || value > tasks.length) throw new HttpError(400, `${key} must be from 0 to ${tasks.length}; it is ${value}.`)
      return value
    }
    return { tasks, wholeNumber }
  }
  const all = () => {
    if (name !== NAME) throw new HttpError(404, `There is no environment "${name}". There is: ${NAME}.`)
    return sessions.config.tasks ?? notSupported()
  }
  switch (action) {
    case 'splits':
      return { GET: () => ({ body: all().splits().map((split) => ({ name: split, type: 'train' })) }) } // prettier-ignore
    case 'tasks':
      return { POST: (request) => ({ body: { tasks: of(request).tasks.map(taskView), env_name: NAME } }) }
    case 'num_tasks':
      return { POST: (request) => ({ body: { num_tasks: of(request).tasks.length } }) }
    case 'task':
      return {
        POST: (request) => {
          const { tasks, wholeNumber } = of(request)
          const index = wholeNumber('index')
          const task = tasks[index]
          if (!task) throw new HttpError(400, `There is no task at index ${index}; there are ${tasks.length}.`)
          return { body: { task: taskView(task, index) } }
        },
      }
    default:
      return {
        POST: (request) => {
          const { tasks, wholeNumber } = of(request)
          const start = wholeNumber('start')
          return { body: { tasks: tasks.slice(start, wholeNumber('stop')).map((task, index) => taskView(task, start + index)) } }
        },
      }
  }
}
