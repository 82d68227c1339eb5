/** The interface for agents: JSON-RPC 2.0 as in MCP. An agent can neither reset the environment nor see a reward. */
import { CapacityReached, type Session, type Sessions } from './sessions.ts'
import { isFields, MCP_TOOL, TOOL } from './wire.ts'

interface RpcContext {
  sessions: Sessions
  /** The session of the socket; null over HTTP. */
  own: Session | null
  version: string
}

class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
const CODES = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, internal: -32_603, server: -32_000 } as const

export const parseFailure = (message: string) => failure(null, CODES.parse, `Parse error: ${message}`)
const failure = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message, data: null } })

/** Never throws; an error becomes an error reply. */
export async function answerRpc(message: unknown, context: RpcContext): Promise<Record<string, unknown>> {
  if (!isFields(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
    return failure(null, CODES.request, 'Invalid Request: it needs jsonrpc "2.0" and a method.')
  const { method, params = {}, id = null } = message
  try {
    if (!isFields(params)) throw new RpcError(CODES.params, 'Invalid params: they must be an object.')
    return { jsonrpc: '2.0', id, result: await call(method, params, context) }
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error.code, error.message)
    const code = error instanceof CapacityReached ? CODES.server : CODES.internal
    return failure(id, code, (error as Error).message)
  }
}

async function call(method: string, params: Readonly<Record<string, unknown>>, context: RpcContext): Promise<unknown> {
  const { sessions, own, version } = context
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: typeof params['protocolVersion'] === 'string' ? params['protocolVersion'] : '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'bashgym-terminal', version },
      }
    case 'ping':
    case 'notifications/initialized':
      return {}
    case 'openenv/session/create':
      return { session_id: own ? own.id : sessions.create('http').id }
    case 'openenv/session/close':
      return closeSession(params, context)
    case 'tools/list':
      if (params['session_id'] !== undefined) sessionOf(params, context)
      return { tools: [MCP_TOOL] }
    case 'tools/call':
      return callTool(params, context)
    default:
      throw new RpcError(CODES.method, `Method not found: ${method}`)
  }
}

async function closeSession(params: Readonly<Record<string, unknown>>, context: RpcContext): Promise<unknown> {
  const session = sessionOf(params, context)
  if (session.attached)
    throw new RpcError(CODES.server, `Session ${session.id} belongs to a WebSocket and ends when the WebSocket is closed.`)
  await context.sessions.close(session.id)
  return { session_id: session.id, closed: true }
}

async function callTool(params: Readonly<Record<string, unknown>>, context: RpcContext): Promise<unknown> {
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string') throw new RpcError(CODES.params, "Invalid params: 'name' is required.")
  if (!isFields(args)) throw new RpcError(CODES.params, "Invalid params: 'arguments' must be an object.")
  if (name !== TOOL) throw new RpcError(CODES.internal, `Unknown tool: '${name}'`)
  const session = context.own ?? sessionOf(params, context)
  const { observation } = await session.run((environment, signal) =>
    environment.step({ type: 'call_tool', tool_name: name, arguments: args }, signal),
  )
  const error = observation['error'] as { error_type: string; message: string } | null
  if (error === null) return observation['result']
  throw new RpcError(error.error_type === 'invalid_args' ? CODES.params : CODES.server, error.message)
}

function sessionOf(params: Readonly<Record<string, unknown>>, { sessions, own }: RpcContext): Session {
  const { session_id: id } = params
  if (id === undefined && own) return own
  if (typeof id !== 'string')
    throw new RpcError(CODES.params, "Invalid params: 'session_id' is required; openenv/session/create gives one.")
  const session = sessions.get(id)
  if (!session || (own && session !== own)) throw new RpcError(CODES.params, `Invalid params: unknown session_id: ${id}`)
  return session
}
