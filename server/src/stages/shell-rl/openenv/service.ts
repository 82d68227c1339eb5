import { EventEmitter, once } from 'node:events'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Environment, EnvironmentSpec } from '#contracts/entities/environment.ts'
import { isoOf } from '#server/instant.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { requireOrder } from './config.ts'
import type { TaskSet } from './tasks.ts'
import { environmentRoutes, type HttpRoute } from './http-requests.ts'
import { environmentSandboxes } from './sandbox.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { environmentSocket, mcpSocket, type SocketPeer } from './socket.ts'

/** Handles the HTTP requests and sockets of a port. */
export interface EnvironmentHost {
  routes: readonly HttpRoute[]
  /** Opens a socket; null if this path has none. */
  open(path: string, query: URLSearchParams, to: { send: (text: string) => void; close: () => void }): SocketPeer | null
}

/** Opens a port. Throws `port_taken`. */
export type ListenEnvironment = (
  host: EnvironmentHost,
  options: { host: string; port: number; token: string },
) => Promise<{ url: string; port: number; close: () => Promise<void> }>

export interface EnvironmentsDeps {
  sandboxes: Sandboxes
  listen: ListenEnvironment
  version: string
  /** Throws if the tasks cannot be read. */
  tasks: (name: string) => Promise<TaskSet>
}

interface Running {
  environment: Omit<Environment, 'sessions'>
  sessions: Sessions
  close: () => Promise<void>
  /** Settles when the server is asked to stop. */
  stopped: Promise<void>
  noteStop: () => void
}

const MAX_SERVERS = 16
/** More often than clients give up a connection without bytes. */
const BEAT_MS = 30_000
const LINE_BREAK = Buffer.from('\n')

/** Environment servers, each on its own port, that use the sandboxes of this machine. */
export function createEnvironments({ events, log }: Pick<Core, 'events' | 'log'>, { sandboxes, listen, version, tasks }: EnvironmentsDeps) {
  const running = new Map<string, Running>()
  const view = ({ environment, sessions }: Running): Environment => ({ ...environment, sessions: sessions.list() })
  const open = environmentSandboxes(sandboxes)

  const stop = async (id: string): Promise<void> => {
    const one = running.get(id)
    if (!one) throw new AppError('environment_not_found')
    running.delete(id)
    one.noteStop()
    await one.close()
    events.passing('environment:sessions', { id })
  }

  return {
    /** Ends when the server stops; stops it when the caller is gone, however its process ended. */
    keep(id: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
      const one = running.get(id)
      if (!one) throw new AppError('environment_not_found')
      const beat = new EventEmitter()
      const timer = setInterval(() => beat.emit('beat'), BEAT_MS).unref()
      const stopIfRunning = () => (running.get(id) === one ? stop(id) : Promise.resolve())
      signal.addEventListener('abort', () => void stopIfRunning().catch((error: unknown) => log.error({ err: error }, 'An environment server could not be stopped'))) // prettier-ignore
      async function* lines(): AsyncGenerator<Uint8Array> {
        try {
          yield LINE_BREAK // so that the caller has the head of the answer
          while (running.get(id) === one && !signal.aborted) {
            await Promise.race([once(beat, 'beat', { signal }), one!.stopped]).catch(() => undefined)
            yield LINE_BREAK
          }
        } finally {
          clearInterval(timer)
        }
      }
      return lines()
    },
    list: (): Environment[] => [...running.values()].map(view),
    /** Callers must send `token`, by default a new one: any user of this machine can connect to a port. */
    async start({
      token = randomBytes(32).toString('base64url'),
      ...spec
    }: EnvironmentSpec & { token?: string | undefined }): Promise<Environment & { token: string }> {
      requireOrder(spec.deadlines)
      if (running.size >= MAX_SERVERS)
        throw new AppError('environment_refused', {
          message: `${MAX_SERVERS} environment servers are already running.`,
          hint: 'Stop one of them first.',
        })
      const set = spec.tasks === null ? null : await tasks(spec.tasks)
      const id = randomUUID()
      const sessions = createSessions({
        config: { ...spec, tasks: set },
        most: spec.maxSessions,
        idleSec: spec.idleSec,
        open,
        onChange: () => events.passing('environment:sessions', { id }),
        onError: (error) => log.error({ err: error }, 'A sandbox of an environment could not be ended'),
      })
      const host: EnvironmentHost = {
        routes: environmentRoutes({ sessions, mode: spec.mode, version }),
        open(path, query, to) {
          if (path === '/ws') return environmentSocket(query.get('session_id'), { sessions, version, ...to })
          return path === '/mcp' ? mcpSocket({ sessions, version, ...to }) : null
        },
      }
      const server = await listen(host, { host: spec.host, port: spec.port, token })
      const stopped = Promise.withResolvers<void>()
      const one: Running = {
        stopped: stopped.promise,
        noteStop: stopped.resolve,
        environment: {
          id,
          url: server.url,
          spec: { ...spec, port: server.port },
          taskCount: set && set.splits().reduce((sum, split) => sum + (set.ofSplit(split)?.length ?? 0), 0),
          startedAt: isoOf(Date.now()),
        },
        sessions,
        async close() {
          await server.close()
          await sessions.closeAll()
        },
      }
      running.set(id, one)
      events.passing('environment:sessions', { id })
      return { ...view(one), token }
    },
    stop,
    close: async (): Promise<void> => void (await Promise.all([...running.keys()].map(stop))),
  }
}

export type Environments = ReturnType<typeof createEnvironments>
