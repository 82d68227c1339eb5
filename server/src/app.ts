import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { type Client, createClient } from '#contracts/derive/client.ts'
import { openapi } from '#contracts/derive/openapi.ts'
import type { Implementation } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { routes, type Routes } from '#contracts/routes/index.ts'
import { type Config, pathsOf } from './config.ts'
import type { Core } from './core.ts'
import { CHECKPOINT_JOB, keepLogsShort } from './db/checkpoint.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { createRestoredItems } from './db/restored-items.ts'
import { createTx } from './db/tx.ts'
import { createDisk, keepReserve, releaseReserve, withDiskNotes } from './disk.ts'
import { createEvents } from './events/events.ts'
import { writeServerFile } from './data-dir/holder.ts'
import { createLog } from './data-dir/log.ts'
import { type OpenDataDir, openDataDir } from './data-dir/open-data-dir.ts'
import { bracketed, createGuard, hostNames } from './http/guard.ts'
import { inProcessTransport } from './http/in-process.ts'
import { createExpressApp } from './http/server.ts'
import { attachSockets, type SocketHub } from './http/socket.ts'
import type { SocketLimits } from './http/subscriber.ts'
import { createJobs } from './jobs/jobs.ts'
import { createHttpServer } from './listeners/http-server.ts'
import type { Limits } from './listeners/limits.ts'
import { allowRunningIn } from './process/program.ts'
import { productInfo } from './product.ts'
import { schema } from './schema.ts'
import { createPipeline } from './pipeline.ts'
import type { StreamImplementation } from './streams/source.ts'
import { finishRestore } from './system/maintenance/restore.ts'
import { startFailure } from './start-failure.ts'
import { createConfirmations } from './system/confirmations/confirmations.ts'
import { confirmationRoutes } from './system/confirmations/routes.ts'
import { createPathRule } from './system/places/paths.ts'
import { underPlaceRule } from './system/places/rule.ts'
import { maintenanceRoutes } from './system/maintenance/routes.ts'
import { guardRestored } from './system/restored/guard.ts'
import { restoredRoutes } from './system/restored/routes.ts'
import { createMachineInfo } from './system/machine.ts'
import { systemRoutes } from './system/routes.ts'
import { type Access, createAccess } from './system/sign-in/access.ts'
import { signInRoutes } from './system/sign-in/routes.ts'
import { createSettings } from './system/settings.ts'
import { createWorkers, type Lane } from './workers/pool.ts'
import { realPath } from './real-path.ts'

export interface AppOptions {
  /** The clock; for tests. */
  now?: () => number
  /** Whether a server or a command opens the data directory. A command waits for other commands. */
  kind?: 'server' | 'command'
  /** Validates every response against its contract; for tests. */
  validateResponses?: boolean
  /** Messages of level info and above also go to stderr. */
  logToStderr?: boolean
  /** How long to wait for a command that has the lock, ms. */
  waitMs?: number
  onWait?: (holder: { pid: number }) => void
  /** The command will only read: it may join others that do. */
  reads?: boolean
  /** Ends that wait. */
  signal?: AbortSignal | undefined
  /** Threads of each lane; by default depends on the machine. */
  lanes?: Record<Lane, number>
}

/** The app without a socket: its stages are connected and its routes can be called. */
export interface App {
  core: Core
  /** Token of the data directory; renewed when everyone is signed out. */
  readonly token: string
  access: Access
  startedAt: string
  implementations: readonly Implementation[]
  streams: readonly StreamImplementation[]
  /** Repairs made by this start. */
  readonly repaired: readonly string[]
  validateResponses: boolean
  /** Called when the server listens. */
  setUrl(url: string): void
  /** Repairs the archive and imports waiting sessions. With `watch` (the default) it also imports from the known folders and watches them. */
  start(options?: { watch: boolean }): Promise<void>
  /** Lets other commands that only read open the data directory too. */
  share(): void
  close(): Promise<void>
}

const EVENTS_PRUNE_MS = 3600_000

/** Opens the data directory and connects all parts. Nothing is imported before `start`. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  try {
    return await open(config, options, false)
  } catch (error) {
    if (!releaseReserve(config.dataDir, error)) throw error
    return open(config, options, true)
  }
}

/** `hasReleased` is true if the disk reserve was deleted for this start. */
async function open(config: Config, options: AppOptions, hasReleased: boolean): Promise<App> {
  const dataDir = await openDataDir(config, options.kind ?? 'command', options)
  try {
    return wire(config, dataDir, options, hasReleased)
  } catch (error) {
    dataDir.release()
    throw startFailure(error, dataDir.paths)
  }
}

function wire(config: Config, dataDir: OpenDataDir, options: AppOptions, hasReleased: boolean): App {
  const { token } = dataDir
  const real = realPath(config.dataDir)
  const paths = pathsOf(real) // without links, because folders in it are opened without following any
  const now = options.now ?? Date.now
  const startedAt = new Date(now()).toISOString()
  const log = createLog({
    dir: paths.logs,
    name: options.kind ?? 'command',
    level: config.logLevel,
    token,
    stderr: options.logToStderr ?? false,
  })
  allowRunningIn(config.dataDir)
  allowRunningIn(real)
  const readsOnly = dataDir.isJoined
  const repaired = readsOnly ? [] : finishRestore(config.dataDir)
  const db = openDatabase(paths.database)
  const closers: (() => unknown)[] = [() => db.close()]
  try {
    migrate(db, { schema, backupDir: paths.backups })
  } catch (error) {
    db.close()
    throw error
  }
  const events = createEvents(db, now, (error) => log.error({ err: error }, 'A listener of events failed'))
  const disk = createDisk(config.dataDir, (error) => log.error({ err: error }, 'What waited for disk space failed'))
  closers.push(() => disk.close())
  const tx = withDiskNotes(createTx(db, events), disk)
  const jobs = createJobs(db, tx, events, now)
  const workers = createWorkers(options.lanes)
  const core: Core = { config, paths, db, tx, events, jobs, workers, log, disk, now, readsOnly }
  closers.push(() => workers.close())

  let interruptedJobs = 0
  if (!readsOnly) disk.whenThereIsSpace(() => (interruptedJobs = jobs.recover()))
  if (interruptedJobs)
    repaired.push(`${interruptedJobs} ${interruptedJobs === 1 ? 'job was' : 'jobs were'} running when Bash Gym stopped; marked as failed`)
  for (const repair of repaired) log.info(`Repaired: ${repair}.`)

  const prune = () => (readsOnly ? undefined : disk.whenThereIsSpace(() => events.prune(now())))
  prune()
  const pruning = setInterval(() => {
    try {
      prune()
    } catch (error) {
      log.error({ err: error }, 'Old events could not be removed')
    }
  }, EVENTS_PRUNE_MS)
  pruning.unref()

  closers.push(
    keepLogsShort([paths.database, paths.search], (database) =>
      workers
        .run<void>(CHECKPOINT_JOB, { database, truncate: true }, { lane: 'query' })
        .catch((error: unknown) => log.debug({ err: error, database }, 'The write-ahead log could not be emptied this time')),
    ),
  )

  let url: string | null = null
  const { version } = productInfo()
  const settings = createSettings(core)
  const confirmations = createConfirmations({ now, onConfirmed: (id) => events.passing('confirmation:confirmed', { id }) })
  const restoredItems = createRestoredItems(db)
  const pathRule = createPathRule({ ...config, trusted: () => settings.get().access.trustedFolders })
  const pipeline = createPipeline(core, settings, confirmations)
  const access = createAccess({
    token,
    file: paths.signIns,
    linkDir: paths.signInLinks,
    now,
    onChange: () => events.passing('sign-ins:changed', {}),
    onUnwritten: (error) => log.warn({ err: error }, 'Sign-ins could not be stored; browsers have to sign in again after the next start'),
  })
  closers.push(() => access.close())
  const unruled: Implementation[] = [
    ...signInRoutes(access, { url: () => url, now }),
    ...confirmationRoutes(confirmations),
    ...restoredRoutes(core, {
      items: restoredItems,
      confirmations,
      startAgain: pipeline.startAgain,
      changed: () => events.append('settings:changed', { settings: settings.get() }),
    }),
    ...systemRoutes(core, {
      version,
      startedAt,
      settings,
      whyNeverTrusted: (folder) => pathRule.whyNeverTrusted(folder),
      repaired: () => [...repaired, ...pipeline.repaired()],
      stats: pipeline.stats,
      checks: pipeline.checks,
      machine: createMachineInfo(config, { python: pipeline.python, now: core.now }),
    }),
    ...maintenanceRoutes(core, {
      version,
      rebuild: pipeline.rebuild,
      verify: pipeline.verify,
      hooks: pipeline.hooks,
      python: pipeline.python,
      router: pipeline.routerChecks,
    }),
    ...guardRestored(pipeline.routes, restoredItems),
  ]
  const implementations = underPlaceRule(unruled, {
    paths: pathRule,
    confirmations,
    stored: pipeline.stored,
    modelShelves: pipeline.modelShelves,
  })
  closers.push(() => pipeline.close())

  return {
    core,
    get token() {
      return token.value
    },
    access,
    startedAt,
    implementations,
    streams: pipeline.streams,
    get repaired() {
      return [...repaired, ...pipeline.repaired()]
    },
    validateResponses: options.validateResponses ?? false,
    setUrl: (address) => {
      url = address
    },
    start: ({ watch } = { watch: true }) => (readsOnly && !watch ? Promise.resolve() : pipeline.start({ watch })),
    share: () => dataDir.share(),
    async close() {
      clearInterval(pruning)
      await jobs.close()
      const wasFull = disk.isFull()
      for (const close of closers.toReversed()) await close()
      if (wasFull || hasReleased) keepReserve(config.dataDir)
      dataDir.release()
    },
  }
}

/** A client for the app in this process, with the same handlers, validation and errors as over HTTP. */
export function inProcessClient(app: App): Client<Routes> {
  return createClient(
    routes,
    inProcessTransport(app.implementations, {
      who: 'user',
      validateResponses: app.validateResponses,
      onError: (error) => {
        if (error.status >= 500) app.core.log.error({ err: error.cause ?? error }, 'A call failed')
      },
    }),
  )
}

export interface ServerOptions extends AppOptions {
  limits?: Partial<Limits>
  socketLimits?: Partial<SocketLimits>
}

export interface RunningServer {
  url: string
  readonly token: string
  app: App
  sockets: SocketHub
  close(): Promise<void>
}

/** Opens the data directory, listens, and starts to import sessions. Throws `data_dir_locked`, `data_dir_refused`, `data_dir_newer`, `port_taken`. */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  refuseRemote(config)
  const app = await createApp(config, { ...options, kind: 'server' })
  const { log, events } = app.core
  try {
    const server = createHttpServer(options.limits)
    await listen(server, config)
    const { address, port } = server.address() as AddressInfo // a TCP server
    const url = `http://${urlHost(address)}:${port}`
    const guard = createGuard({
      callers: app.access,
      hosts: hostNames(address, port, [config.host, ...(config.allowRemote ? ownAddresses() : [])]),
    })
    const info = productInfo()
    server.on(
      'request',
      createExpressApp(guard, {
        implementations: app.implementations,
        openapi: () => openapi(Object.values(routes), { title: 'Bash Gym', version: info.version, description: info.description }),
        rendererDir: config.rendererDir,
        validateResponses: app.validateResponses,
        log,
      }),
    )
    const sockets = attachSockets(server, { guard, events, streams: app.streams, log, limits: options.socketLimits })
    app.setUrl(url)
    app.core.disk.whenThereIsSpace(() =>
      writeServerFile(app.core.paths, { url, pid: process.pid, startedAt: app.startedAt, version: info.version }),
    )
    await app.start()
    log.info({ url }, `Bash Gym listens on ${url}`)
    let closing: Promise<void> | undefined
    const close = async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await sockets.close()
      const cut = setTimeout(() => server.closeAllConnections(), 1000)
      await closed
      clearTimeout(cut)
      await app.close()
    }
    return {
      url,
      get token() {
        return app.token
      },
      app,
      sockets,
      close: () => (closing ??= close()),
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

function listen(server: ReturnType<typeof createHttpServer>, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return reject(error)
      const reason = error.code === 'EACCES' ? 'needs more permissions' : 'is in use by another program'
      reject(
        new AppError('port_taken', {
          message: `Port ${port} on ${host} ${reason}.`,
          hint: 'Choose another port with --port N (--port 0 picks a free one), or stop the other program.',
        }),
      )
    })
    server.listen({ host, port }, resolve)
  })
}

const LOOPBACK = /^(127(\.\d+){3}|localhost|::1|\[::1\])$/
const ANY = new Set(['0.0.0.0', '::', '[::]'])

function refuseRemote({ host, allowRemote }: Config): void {
  if (LOOPBACK.test(host) || allowRemote) return
  throw new AppError('invalid_request', {
    message: `The server would be reachable from other machines at ${host}.`,
    hint: 'Reach this machine through an SSH tunnel (ssh -L 8002:127.0.0.1:8002 …), or add --allow-remote if you are sure.',
  })
}

/** Uses the bound address, never a name, because another user's program may listen on another address of the name. */
const urlHost = (host: string) => (ANY.has(host) ? '127.0.0.1' : bracketed(host))

const ownAddresses = () => [
  os.hostname(),
  ...Object.values(os.networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
]
