/**
 * The sandbox service for clients of `deathbyknowledge/sos` 0.0.7: its paths, snake_case fields, plain-text errors and
 * status codes. Each request is translated to a call of our own API.
 */
import { isUtf8 } from 'node:buffer'
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import { z } from 'zod'
import type { Client } from '#contracts/derive/client.ts'
import { type Sandbox, SandboxExec, SandboxLimits, SandboxSpec, type TrajectoryEntry } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { isOtherUser } from './peer-user.ts'
import { fromSnake, snakeShape, toSnake } from '#contracts/snake-case.ts'

export interface BareOptions {
  client: Client<Routes>
  /** Defaults for new sandboxes. */
  defaults: Partial<z.input<typeof SandboxSpec>>
  /** Exact `host:port` names that a Host header may have. */
  hosts: readonly string[]
  /** Null: this user's programs on this machine may call, or all programs of this machine if the system does not show their user. */
  token: string | null
}

const BODY = '10mb'

const Limits = snakeShape(SandboxLimits).optional()
const CreateBody = snakeShape(SandboxSpec).extend({
  image: z.string().min(1),
  setup_commands: z.array(z.string()),
  limits: Limits,
})
const StartBody = z.object({ wait: z.boolean().default(true), wait_timeout_sec: z.number().min(0).optional() })
const ExecBody = snakeShape(SandboxExec).extend({ command: z.string() })
const StopBody = z.object({ remove: z.boolean().default(false) })

export function bareSandboxes({ client, defaults, hosts, token }: BareOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  const hostNames = new Set(hosts.map((host) => host.toLowerCase()))
  app.use((request, response, next) => {
    response.set('Server', 'bashgym') // tells our client that all options are supported
    if (!hostNames.has((request.headers.host ?? '').toLowerCase()))
      return refuse(response, 403, 'The Host header does not name this server.')
    response.set('X-Content-Type-Options', 'nosniff')
    if (request.headers.origin !== undefined || (request.get('sec-fetch-site') ?? 'none') !== 'none')
      return refuse(response, 403, 'Requests from web pages are refused.')
    if (token === null && isOtherUser(request.socket))
      return refuse(response, 403, 'This service accepts only programs of the user who started it. Others need a token (--token-file).')
    if (token !== null && request.path !== '/health' && request.headers.authorization !== `Bearer ${token}`)
      return refuse(response, 401, 'This service needs the token of its token file: Authorization: Bearer TOKEN.')
    next()
  })
  app.use(express.json({ limit: BODY, type: () => true, strict: false, verify: requireUtf8 }))

  app.get('/health', (_, response) => void response.status(200).end())
  app.post('/sandboxes', async (request, response) => {
    const body = parse(CreateBody, request.body)
    const spec = { ...defaults, ...(fromSnake(body) as z.input<typeof SandboxSpec>) } // CreateBody is SandboxSpec in snake_case
    const idempotencyKey = request.get('idempotency-key')
    const { id } = await client.createSandbox({ body: { ...spec, ...(idempotencyKey !== undefined && { idempotencyKey }) } })
    response.json({ id })
  })
  app.get('/sandboxes', async (request, response) => {
    const items: Sandbox[] = []
    for (let cursor: string | undefined; ;) {
      const page = await client.listSandboxes({ query: { limit: 100, ...(cursor !== undefined && { cursor }) } })
      items.push(...page.items)
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    response.json(items.map((one) => listItem(one, isFull(request))))
  })
  app.post('/sandboxes/:id/start', async (request, response) => {
    const { wait, wait_timeout_sec: waitTimeoutSec } = parse(StartBody, request.body ?? {})
    const body = { wait, ...(waitTimeoutSec !== undefined && { waitTimeoutSec }) }
    await client.startSandbox({ params: idOf(request), body, signal: disconnectSignal(response) })
    response.end()
  })
  app.post('/sandboxes/:id/exec', async (request, response) => {
    const body = fromSnake(parse(ExecBody, request.body)) as z.input<typeof SandboxExec> // ExecBody is SandboxExec in snake_case
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

/** Refuses bytes that are not UTF-8, as the SoS service does; decoding would replace them. */
function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Error('it is not valid UTF-8')
}

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
  const { status = 500, type, message } = error as Error & { status?: number; type?: string } // of express.json
  if (type === 'entity.verify.failed') return refuse(response, 400, `The body could not be read: ${message}.`)
  refuse(response, status, status === 400 ? 'The body is not valid JSON.' : message)
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
