/**
 * The sandbox service for clients of `deathbyknowledge/sos` 0.0.7: its paths, snake_case fields, plain-text errors and
 * status codes. Each request is translated to a call of our own API.
 */
import { createHash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import { z } from 'zod'
import type { Client } from '#contracts/derive/client.ts'
import { type Sandbox, SandboxExec, SandboxLimits, SandboxSpec, type TrajectoryEntry } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { fromSnake, snakeShape, toSnake } from '#server/snake-case.ts'
import { readBody, TooLong } from '#server/listeners/body.ts'
import { shallowText, TooDeep } from '#server/listeners/json.ts'
import { MAX_BODY } from '#server/listeners/limits.ts'
import { NotAllowed, type Operator, requireAllowed, requireAllowedExec } from './operator.ts'
import type { ServiceGuard } from './service-guard.ts'

export interface BareOptions {
  client: Client<Routes>
  operator: Operator
  guard: ServiceGuard
}

/** Marks the sandboxes of this service. Its clients see no others: the app's have the user's files. */
const MARK = { 'bashgym.service': 'sandbox-serve' }
const isMarked = ({ labels }: Pick<Sandbox, 'labels'>) => Object.entries(MARK).every(([name, value]) => labels[name] === value)

const Limits = snakeShape(SandboxLimits).optional()
const CreateBody = snakeShape(SandboxSpec).extend({
  image: z.string().min(1),
  setup_commands: z.array(z.string()),
  limits: Limits,
})
const StartBody = z.object({ wait: z.boolean().default(true), wait_timeout_sec: z.number().min(0).optional() })
const ExecBody = snakeShape(SandboxExec).extend({ command: z.string() })
const StopBody = z.object({ remove: z.boolean().default(false) })

export function bareSandboxes({ client, operator, guard }: BareOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use((request, response, next) => {
    response.set('Server', 'bashgym') // tells our client that all options are supported
    response.set('X-Content-Type-Options', 'nosniff')
    const refusal = guard.refusalOf(request)
    if (refusal) refuse(response, refusal.status, refusal.message)
    else next()
  })
  app.use(async (request, _, next) => {
    request.body = await readJson(request)
    next()
  })
  const all = async (): Promise<Sandbox[]> => {
    const items: Sandbox[] = []
    for (let cursor: string | undefined; ;) {
      const page = await client.listSandboxes({ query: { limit: 100, ...(cursor !== undefined && { cursor }) } })
      items.push(...page.items.filter(isMarked))
      if (page.nextCursor === null) return items
      cursor = page.nextCursor
    }
  }
  /** One at a time, so that the count holds. */
  let creating: Promise<Sandbox | null> = Promise.resolve(null)
  const create = async (body: z.input<typeof SandboxSpec>): Promise<Sandbox> => {
    if ((await all()).filter(({ status }) => status !== 'stopped').length >= operator.sandboxes)
      throw new AppError('sandbox_capacity', {
        message: `${operator.sandboxes} sandboxes of this service have not ended, which is its limit.`,
        hint: 'Stop some of them first.',
      })
    return client.createSandbox({ body })
  }
  app.param('id', async (_request, _response, next, id: string) => {
    if (!isMarked(await client.getSandbox({ params: { id } })))
      throw new AppError('sandbox_not_found', { message: `There is no sandbox ${id}.` })
    next()
  })

  app.get('/health', (request, response) => void response.status(200).set(guard.proofFor(request)).end())
  app.post('/sandboxes', async (request, response) => {
    const body = parse(CreateBody, request.body)
    const asked = fromSnake(body) as z.input<typeof SandboxSpec> // CreateBody is SandboxSpec in snake_case
    const { most } = operator
    const spec = parse(SandboxSpec, {
      ...most,
      ...asked,
      limits: { ...most.limits, ...asked.limits },
      labels: { ...asked.labels, ...MARK },
    })
    requireAllowed(
      spec,
      operator,
      (await client.listSandboxSnapshots()).items.map(({ name }) => name),
    )
    const idempotencyKey = request.get('idempotency-key')
    const sandbox = { ...spec, ...(idempotencyKey !== undefined && { idempotencyKey: ownKey(idempotencyKey) }) }
    creating = creating.catch(() => null).then(() => create(sandbox))
    const { id } = (await creating)!
    response.json({ id })
  })
  app.get('/sandboxes', async (request, response) => {
    response.json((await all()).map((one) => listItem(one, isFull(request))))
  })
  app.post('/sandboxes/:id/start', async (request, response) => {
    const { wait, wait_timeout_sec: waitTimeoutSec } = parse(StartBody, request.body ?? {})
    const body = { wait, ...(waitTimeoutSec !== undefined && { waitTimeoutSec }) }
    await client.startSandbox({ params: idOf(request), body, signal: disconnectSignal(response) })
    response.end()
  })
  app.post('/sandboxes/:id/exec', async (request, response) => {
    const body = fromSnake(parse(ExecBody, request.body)) as z.input<typeof SandboxExec> // ExecBody is SandboxExec in snake_case
    requireAllowedExec(body, operator)
    const result = await client.execInSandbox({ params: idOf(request), body, signal: disconnectSignal(response) })
    const { output, exitCode, exited, ...more } = result
    response.json({ output, exit_code: exitCode, exited, ...(isFull(request) ? (toSnake(more) as object) : {}) })
  })
  app.get('/sandboxes/:id/trajectory', async (request, response) => {
    const { trajectory } = await client.getSandboxTrajectory({ params: idOf(request) })
    response.json({
      sandbox_id: request.params.id,
      command_count: trajectory.length,
      trajectory: trajectory.map((entry) => step(entry, isFull(request))),
    })
  })
  app.get('/sandboxes/:id/trajectory/formatted', async (request, response) => {
    const text = await client.getSandboxTrajectoryText({ params: idOf(request) })
    response.type('text/plain').send(await text.text())
  })
  app.post('/sandboxes/:id/stop', async (request, response) => {
    await client.stopSandbox({ params: idOf(request), body: parse(StopBody, request.body ?? {}) })
    response.end()
  })
  app.use((_, response) => refuse(response, 404, 'Unknown address.'))
  app.use(onError)
  return app
}

/** The document of the body, whatever its content type; undefined if there is none. */
/** The app's own callers can choose the same key for another sandbox. */
const ownKey = (key: string): string => `service-${createHash('sha256').update(key).digest('hex')}`

async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request)
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new Unreadable('it is not valid UTF-8') // as the SoS service does; decoding would replace bytes
  return JSON.parse(shallowText(bytes))
}

class Unreadable extends Error {}

const isFull = (request: Request) => request.query['full'] === '1'
const idOf = (request: Request<{ id: string }>) => ({ id: request.params.id })

/** Aborts when the caller disconnects before the response is complete. */
function disconnectSignal(response: Response): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new DOMException('The caller disconnected.', 'AbortError'))
  })
  return controller.signal
}

function parse<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
  throw new Unprocessable(problems.join('\n'))
}

/** SoS clients expect status 422 for a missing or wrong field. */
class Unprocessable extends Error {}

const onError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (response.headersSent) return void response.end()
  if (error instanceof Unprocessable) return refuse(response, 422, error.message)
  if (error instanceof AppError) {
    if (error.status === 429) response.set('Retry-After', '1')
    return refuse(response, error.status, [error.message, error.hint].filter(Boolean).join(' '))
  }
  if (error instanceof NotAllowed) return refuse(response, 403, error.message)
  if (error instanceof TooLong) return refuse(response, 413, `The body is longer than ${MAX_BODY / 1024 / 1024} MB.`)
  if (error instanceof TooDeep || error instanceof Unreadable) return refuse(response, 400, `The body could not be read: ${error.message}.`)
  if (error instanceof SyntaxError) return refuse(response, 400, 'The body is not valid JSON.')
  const { status = 500, message } = error as Error & { status?: number } // of express
  refuse(response, status, message)
}

const refuse = (response: Response, status: number, text: string): void => void response.status(status).type('text/plain').send(text)

const listItem = ({ setupCommands, ...sandbox }: Sandbox, isFullForm: boolean) => ({
  ...(isFullForm ? (toSnake(sandbox) as object) : {}),
  id: sandbox.id,
  image: sandbox.image,
  setup_commands: setupCommands.join(' && '),
  status: sandbox.status,
  session_command_count: sandbox.sessionCommandCount,
  last_standalone_exit_code: sandbox.lastStandaloneExitCode,
})

const step = ({ index, command, at, result, session }: TrajectoryEntry, isFullForm: boolean) => ({
  index,
  command,
  timestamp: at,
  ...(isFullForm ? { session } : {}),
  ...(result === null ? {} : { result: isFullForm ? toSnake(result) : { output: result.output, exit_code: result.exitCode } }),
})
