/** A WebSocket of a trainer (`/ws`) or of an agent (`/mcp`): one reply for each message, in order. */
import { z } from 'zod'
import { answerRpc, parseFailure } from './mcp.ts'
import { CapacityReached, type Session, type Sessions } from './sessions.ts'
import { Action, Invalid, readMessage } from './wire.ts'

export interface SocketPeer {
  /** Resolves when the message is answered. */
  receive(text: string): Promise<void>
  /** Answers a message that cannot be read. */
  refuse(reason: string): void
  /** Called when the connection is closed. */
  gone(): void
}

export interface SocketOptions {
  sessions: Sessions
  version: string
  send: (text: string) => void
  close: () => void
}

const NONE: SocketPeer = { receive: () => Promise.resolve(), refuse() {}, gone() {} }
const errorFrame = (message: string, code: string, more?: Record<string, unknown>) => ({
  type: 'error',
  data: { message, code, ...more },
})

const invalidJson = (reason: string) => errorFrame(`Invalid JSON: ${reason}`, 'INVALID_JSON')

export function environmentSocket(sessionId: string | null, options: SocketOptions): SocketPeer {
  const { sessions, version } = options
  const sendFrame = (frame: unknown) => options.send(JSON.stringify(frame))
  const refuse = (frame: unknown): SocketPeer => {
    sendFrame(frame)
    options.close()
    return NONE
  }
  let session: Session
  try {
    session = sessionId === null ? sessions.create('websocket') : attached(sessions, sessionId)
  } catch (error) {
    if (error instanceof CapacityReached)
      return refuse(errorFrame(error.message, 'CAPACITY_REACHED', { active_sessions: error.active, max_sessions: error.most }))
    return refuse(errorFrame((error as Error).message, 'SESSION_ERROR'))
  }
  return peer({
    refuse: (reason) => sendFrame(invalidJson(reason)),
    async answer(text) {
      const frame = await answerFrame(text, session, { sessions, version })
      if (frame === null) options.close()
      else sendFrame(frame)
    },
    gone() {
      if (sessionId === null) void sessions.close(session.id)
      else sessions.detach(session)
    },
  })
}

export function mcpSocket(options: SocketOptions): SocketPeer {
  const { sessions, version } = options
  const sendFrame = (frame: unknown) => options.send(JSON.stringify(frame))
  let own: Session
  try {
    own = sessions.create('websocket')
  } catch (error) {
    sendFrame({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: (error as Error).message, data: null } })
    options.close()
    return NONE
  }
  return peer({
    refuse: (reason) => sendFrame(parseFailure(reason)),
    async answer(text) {
      let message: unknown
      try {
        message = JSON.parse(text)
      } catch (error) {
        return sendFrame(parseFailure((error as Error).message))
      }
      sendFrame(await answerRpc(message, { sessions, own, version }))
    },
    gone: () => void sessions.close(own.id),
  })
}

/** Answers one message at a time, in the order in which the messages arrive. */
function peer({ answer, refuse, gone }: { answer: (text: string) => Promise<void> } & Pick<SocketPeer, 'refuse' | 'gone'>): SocketPeer {
  let tail: Promise<void> = Promise.resolve()
  let isGone = false
  const inTurn = (work: () => Promise<void> | void) => (tail = tail.then(() => (isGone ? undefined : work())).catch(() => {})) // a lost connection gets no answer
  return {
    receive: (text) => inTurn(() => answer(text)),
    refuse: (reason) => void inTurn(() => refuse(reason)),
    gone() {
      isGone = true
      gone()
    },
  }
}

function attached(sessions: Sessions, id: string): Session {
  const session = sessions.get(id)
  if (!session) throw new Error(`Unknown session_id: ${id}`)
  if (session.attached) throw new Error(`Session ${id} has a WebSocket already.`)
  sessions.attach(session)
  return session
}

const Dictionary = z.record(z.string(), z.unknown())
const Type = z.enum(['reset', 'step', 'state', 'close', 'mcp'])
const Frame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('reset'), data: Dictionary.nullish() }),
  z.strictObject({ type: z.literal('step'), data: Dictionary }),
  z.strictObject({ type: z.literal('mcp'), data: Dictionary }),
  z.strictObject({ type: z.literal('state') }),
  z.strictObject({ type: z.literal('close') }),
])

/** Null if the client closes the connection. */
async function answerFrame(
  text: string,
  session: Session,
  { sessions, version }: Pick<SocketOptions, 'sessions' | 'version'>,
): Promise<object | null> {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch (error) {
    return invalidJson((error as Error).message)
  }
  try {
    const { type } = readMessage(Dictionary, message)
    if (!Type.safeParse(type).success)
      return errorFrame(`Unknown message type: ${typeof type === 'string' ? type : JSON.stringify(type ?? null)}`, 'UNKNOWN_TYPE')
    const frame = readMessage(Frame, message)
    if (frame.type === 'close') return null
    if (frame.type === 'state') return { type, data: await session.run((environment) => environment.state()) }
    if (frame.type === 'mcp') return { type, data: await answerRpc(frame.data, { sessions, own: session, version }) }
    const action = frame.type === 'step' ? readMessage(Action, frame.data) : null
    const observation = await session.run((environment, signal) =>
      action ? environment.step(action, signal) : environment.reset(frame.data ?? {}, signal),
    )
    return { type: 'observation', data: observation }
  } catch (error) {
    if (error instanceof Invalid) return errorFrame('Invalid message', 'VALIDATION_ERROR', { errors: error.issues })
    return errorFrame((error as Error).message, 'EXECUTION_ERROR')
  }
}
