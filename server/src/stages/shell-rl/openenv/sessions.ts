import { randomUUID } from 'node:crypto'
import type { EnvironmentSession } from '#contracts/entities/environment.ts'
import { isoOf } from '#server/instant.ts'
import type { EnvironmentConfig } from './config.ts'
import { TerminalEnvironment } from './environment.ts'
import type { OpenSandbox } from './sandbox.ts'

export class CapacityReached extends Error {
  readonly active: number
  readonly most: number
  constructor(active: number, most: number) {
    super(
      `All ${most} sessions of this server are in use. Start it with a larger --max-sessions: a trainer needs one for each generation of its batch.`,
    )
    this.active = active
    this.most = most
  }
}

/** Gives access to one environment and runs its calls one after another. */
export class Session {
  readonly id = randomUUID()
  readonly connection: EnvironmentSession['connection']
  readonly environment: TerminalEnvironment
  readonly startedAt = Date.now()
  lastUsedAt = this.startedAt
  /** Whether a socket uses this session. */
  attached = false
  private readonly gone = new AbortController()
  private readonly used: () => void
  private tail: Promise<unknown> = Promise.resolve()

  constructor(connection: EnvironmentSession['connection'], environment: TerminalEnvironment, used: () => void) {
    this.connection = connection
    this.environment = environment
    this.used = used
  }

  run<T>(work: (environment: TerminalEnvironment, signal: AbortSignal) => Promise<T> | T): Promise<T> {
    const turn = this.tail.then(async () => {
      this.gone.signal.throwIfAborted()
      this.lastUsedAt = Date.now()
      try {
        return await work(this.environment, this.gone.signal)
      } finally {
        this.lastUsedAt = Date.now()
        this.used()
      }
    })
    this.tail = turn.catch(() => {}) // the caller of `run` handles the failure
    return turn
  }

  /** Stops everything and removes the sandbox. */
  async end(): Promise<void> {
    this.gone.abort(new Error('The session was closed.'))
    await this.tail
    await this.environment.end()
  }

  view(): EnvironmentSession {
    const { id, connection, startedAt, lastUsedAt } = this
    return { id, connection, ...this.environment.facts, startedAt: isoOf(startedAt), lastUsedAt: isoOf(lastUsedAt) }
  }
}

export interface SessionsOptions {
  config: EnvironmentConfig
  most: number
  idleSec: number
  open: OpenSandbox
  onChange: () => void
  onError: (error: unknown) => void
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ config, most, idleSec, open, onChange, onError }: SessionsOptions) {
  const sessions = new Map<string, Session>()
  const clocks = new Map<string, NodeJS.Timeout>()

  const rearm = (session: Session) => {
    clearTimeout(clocks.get(session.id))
    clocks.delete(session.id)
    if (session.attached || !sessions.has(session.id)) return
    clocks.set(session.id, setTimeout(() => void close(session.id), idleSec * 1000).unref())
  }
  const close = async (id: string): Promise<void> => {
    const session = sessions.get(id)
    if (!session) return
    sessions.delete(id) // frees its place before its sandbox is removed
    clearTimeout(clocks.get(id))
    clocks.delete(id)
    onChange()
    await session.end().catch(onError)
  }

  return {
    get config() {
      return config
    },
    list: () => [...sessions.values()].map((session) => session.view()),
    get: (id: string): Session | null => sessions.get(id) ?? null,
    /** Throws `CapacityReached`. */
    create(connection: EnvironmentSession['connection']): Session {
      if (sessions.size >= most) throw new CapacityReached(sessions.size, most)
      const session: Session = new Session(connection, new TerminalEnvironment(config, open), () => {
        rearm(session)
        onChange()
      })
      session.attached = connection === 'websocket'
      sessions.set(session.id, session)
      rearm(session)
      onChange()
      return session
    },
    attach(session: Session): void {
      session.attached = true
      rearm(session)
    },
    detach(session: Session): void {
      session.attached = false
      rearm(session)
    },
    close,
    closeAll: () => Promise.all([...sessions.keys()].map(close)),
  }
}
