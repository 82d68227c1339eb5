/** The HTTP routes of OpenEnv; another module mounts them on a port. */
import { z } from 'zod'
import { answerRpc, parseFailure } from './mcp.ts'
import { CapacityReached, type Session, type Sessions } from './sessions.ts'
import { openapiOf, README, SCHEMAS } from './documents.ts'
import type { EnvironmentTask } from './tasks.ts'
import { Action, Invalid, readMessage } from './wire.ts'

export interface HttpRequest {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  cookie: string | undefined
  body: string
}
export interface HttpAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}
export interface HttpRoute {
  method: 'get' | 'post'
  /** As Express writes it. */
  path: string
  answer: (request: HttpRequest) => Promise<HttpAnswer>
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

export function environmentRoutes(context: HttpContext): HttpRoute[] {
  const { sessions, mode, version } = context
  const metadata = {
    name: NAME,
    description: README.description,
    readme_content: README.text,
    version,
    author: 'Bash Gym',
    documentation_url: null,
  }
  const routes: HttpRoute[] = [
    ...(mode === 'simulation' ? simulation(sessions) : []),
    get('/health', () => ({ status: 'healthy' })),
    get('/metadata', () => metadata),
    get('/schema', () => SCHEMAS),
    get('/openapi.json', () => openapiOf(routes)),
    route('post', '/mcp', async ({ body }) => ({ body: await rpc(body, context) })),
    get('/list_environments', () => (sessions.config.tasks ? [NAME] : notSupported())),
    ...taskRoutes(sessions),
  ]
  return routes
}

type Handler = (request: HttpRequest) => Promise<Omit<HttpAnswer, 'status'>> | Omit<HttpAnswer, 'status'>

const route = (method: HttpRoute['method'], path: string, handle: Handler): HttpRoute => ({
  method,
  path,
  async answer(request) {
    try {
      return { status: 200, ...(await handle(request)) }
    } catch (error) {
      return failureOf(error as Error)
    }
  },
})
const get = (path: string, body: (request: HttpRequest) => unknown): HttpRoute =>
  route('get', path, async (request) => ({ body: await body(request) }))
/** A route with a document as its body. */
function post<Body extends z.ZodType>(
  path: string,
  schema: Body,
  handle: (body: z.output<Body>, request: HttpRequest) => ReturnType<Handler>,
): HttpRoute {
  return route('post', path, (request) => handle(readMessage(schema, documentOf(request.body)), request))
}

function failureOf(error: Error): HttpAnswer {
  if (error instanceof Invalid)
    return { status: 422, body: { detail: error.issues.map((issue) => ({ ...issue, loc: ['body', ...issue.loc] })) } }
  const status = error instanceof HttpError ? error.status : error instanceof CapacityReached ? 503 : 500
  return { status, body: { detail: error.message } }
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Invalid([{ type: 'json_invalid', loc: [], msg: 'JSON decode error', input: (error as Error).message }])
  }
}

async function rpc(body: string, { sessions, version }: HttpContext): Promise<unknown> {
  try {
    return await answerRpc(JSON.parse(body), { sessions, own: null, version })
  } catch (error) {
    return parseFailure((error as Error).message)
  }
}

const SessionId = z.string().nullish().catch(null)
const ResetBody = z.looseObject({ session_id: SessionId })
const StepBody = z.object({ action: Action, timeout_s: z.number().positive().nullish(), session_id: SessionId })

function simulation(sessions: Sessions): HttpRoute[] {
  const sessionFor = (request: HttpRequest, given?: string | null): Session | null => {
    const id = given ?? request.query.get('session_id') ?? cookieOf(request)
    if (id === null) return null
    const session = sessions.get(id)
    if (!session) throw new HttpError(404, `There is no session ${id}. It may have ended; POST /reset begins another.`)
    return session
  }
  const cookieHeader = (session: Session) => ({ 'set-cookie': `${COOKIE}=${session.id}; Path=/; HttpOnly; SameSite=Strict` })
  return [
    get('/state', async (request) => {
      const session = sessionFor(request)
      return session ? session.run((environment) => environment.state()) : { episode_id: null, step_count: 0 }
    }),
    route('post', '/reset', async (request) => {
      const { session_id: id, ...data } = readMessage(ResetBody, request.body.trim() === '' ? {} : documentOf(request.body))
      const before = sessionFor(request, id)
      const session = before ?? sessions.create('http')
      try {
        const answer = await session.run((environment, signal) => environment.reset(data, signal))
        return { body: { ...answer, session_id: session.id }, headers: cookieHeader(session) }
      } catch (error) {
        if (!before) await sessions.close(session.id)
        throw error
      }
    }),
    post('/step', StepBody, async ({ action, timeout_s: timeout, session_id: id }, request) => {
      const session = sessionFor(request, id)
      if (!session)
        throw new HttpError(400, 'This step has no session. Send the session_id or the cookie from the response to POST /reset.')
      const answer = await session.run((environment, signal) => environment.step(action, signal, timeout ?? undefined))
      return { body: { ...answer, session_id: session.id } }
    }),
  ]
}

const cookieOf = ({ cookie = '' }: HttpRequest): string | null =>
  new RegExp(`(?:^|;\\s*)${COOKIE}=([0-9a-f-]{36})`).exec(cookie)?.[1] ?? null

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

const Split = z.object({ split: z.string() })
const Whole = z.int()

function taskRoutes(sessions: Sessions): HttpRoute[] {
  const all = ({ params }: HttpRequest) => {
    if (params['name'] !== NAME) throw new HttpError(404, `There is no environment "${params['name']}". There is: ${NAME}.`)
    return sessions.config.tasks ?? notSupported()
  }
  const tasksOf = (request: HttpRequest, split: string) => {
    const tasks = all(request).ofSplit(split)
    if (!tasks) throw new HttpError(400, `There is no split "${split}". There are: ${all(request).splits().join(', ')}.`)
    return tasks
  }
  const requireWithin = (values: Readonly<Record<string, number>>, most: number): void => {
    for (const [key, value] of Object.entries(values))
      if (value < 0 || value > most) throw new HttpError(400, `${key} must be from 0 to ${most}; it is ${value}.`)
  }
  return [
    get('/:name/splits', (request) =>
      all(request)
        .splits()
        .map((split) => ({ name: split, type: 'train' })),
    ),
    post('/:name/tasks', Split, ({ split }, request) => ({ body: { tasks: tasksOf(request, split).map(taskView), env_name: NAME } })),
    post('/:name/num_tasks', Split, ({ split }, request) => ({ body: { num_tasks: tasksOf(request, split).length } })),
    post('/:name/task', Split.extend({ index: Whole }), ({ split, index }, request) => {
      const tasks = tasksOf(request, split)
      requireWithin({ index }, tasks.length)
      const task = tasks[index]
      if (!task) throw new HttpError(400, `There is no task at index ${index}; there are ${tasks.length}.`)
      return { body: { task: taskView(task, index) } }
    }),
    post('/:name/task_range', Split.extend({ start: Whole, stop: Whole }), ({ split, start, stop }, request) => {
      const tasks = tasksOf(request, split)
      requireWithin({ start, stop }, tasks.length)
      return { body: { tasks: tasks.slice(start, stop).map((task, index) => taskView(task, start + index)) } }
    }),
  ]
}
