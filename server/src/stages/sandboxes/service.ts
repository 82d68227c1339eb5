import { randomUUID } from 'node:crypto'
import type { GuardOverrides } from '#contracts/entities/guardrail.ts'
import type { SandboxSnapshot } from '#contracts/entities/sandbox-snapshot.ts'
import type {
  Sandbox,
  SandboxCapacity,
  SandboxEndReason,
  SandboxSpec,
  SandboxStatus,
  SandboxUsage,
  TrajectoryEntry,
} from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import { ENGINE_ABILITIES } from '#contracts/sandbox-engines.ts'
import type { Backend, ImageToBuild } from '#server/adapters/sandbox/backends.ts'
import type { Channel, MachineEndpoint, ReadOnlyFolder, MachineEngine, MachineProgram } from '#server/adapters/sandbox/index.ts'
import type { Core } from '#server/core.ts'
import type { Source } from '#server/streams/source.ts'
import { createCommands, type EvaluateCommand, refuseBlocked } from './commands.ts'
import { chooseBackend, engineError, engineLost, requireImage } from './engines.ts'
import { createFiles } from './files.ts'
import { createGauges } from './gauges.ts'
import { toSandbox } from './record.ts'
import { Running } from './running.ts'
import { createRecordings } from './recording.ts'
import type { Session } from './session.ts'
import { createSlots } from './slots.ts'
import { createSnapshots, forkName, forkSpec } from './snapshots.ts'
import { FilesGone, openSession, startMachine } from './start.ts'
import { createSandboxStore, type SandboxRow, type SandboxStore } from './store.ts'
import { createTakeOver } from './take-over.ts'

export interface SandboxDeps {
  backends: readonly Backend[]
  limits: () => { running: number; queue: number }
  snapshotLimits: () => { most: number; mostBytes: number }
  evaluateCommand: EvaluateCommand
  /** Throws `invalid_request` for a rule that does not exist. */
  requireRules: (overrides: GuardOverrides) => void
  /** Whether somebody will go on with the files that a sandbox left under this name. */
  isNeeded: (leftAs: string) => boolean
}

/** The first port for endpoints inside a sandbox. */
const FIRST_ENDPOINT = 3129
/** The name under which the files of a sandbox stay that keeps them. */
const keptName = (id: string): string => `sandbox-${id}`
/** Also while the row says that it runs: its server may have been killed. */
function isKeptName(store: SandboxStore, name: string): boolean {
  const row = name.startsWith(keptName('')) ? store.get(name.slice(keptName('').length)) : null
  return row !== null && row.keeps && (row.kept !== null || row.status === 'started' || row.status === 'exited')
}
/** No server can have had more sandboxes running. */
const MAX_LEFTOVERS = 10_000

interface Starting {
  phase: Sandbox['phase']
  stop: AbortController
  done: Promise<unknown>
}

/** Creates sandboxes, starts them when a place is free, and ends them on request, by timers or when the server stops. */
export function createSandboxes(core: Core, deps: SandboxDeps) {
  const { db, tx, events, log, now } = core
  const store = createSandboxStore(db)
  const starting = new Map<string, Starting>()
  const running = new Map<string, Running>()
  const opened = new Map<string, Promise<MachineEngine>>()
  /** Folders of this machine that a sandbox may read; no request over the API can set them. */
  const readableFolders = new Map<string, readonly ReadOnlyFolder[]>()
  /** Ports of this machine that a sandbox can reach; no request over the API can set them either. */
  const endpointsOf = new Map<string, readonly MachineEndpoint[]>()
  /** Names under which the files of sandboxes stay if this process ends or leaves them; no request over the API can set them. */
  const leftNames = new Map<string, string>()
  const slots = createSlots({ limits: deps.limits, onChange: () => events.passing('sandbox:queue', slots.state()) })
  const recordings = createRecordings(core.paths.recordings, {
    now,
    onError: (error) => log.warn({ err: error }, 'The recording of a session ends early: its file could not be written'),
  })
  let isClosed = false
  const gauges = createGauges(
    () => usage(),
    (items) => events.passing('sandbox:usage', { items }),
  )

  const backendOf = (wanted: SandboxRow['backend']): Backend => deps.backends.find(({ name }) => name === wanted)!
  /** Before its first use, removes from an engine the sandboxes that a killed server left. */
  const open = (backend: Backend): Promise<MachineEngine> => {
    const existing = opened.get(backend.name)
    if (existing) return existing
    const opening = openAndSweep(backend)
    opened.set(backend.name, opening)
    opening.catch(() => opened.delete(backend.name))
    return opening
  }
  const openAndSweep = async (backend: Backend): Promise<MachineEngine> => {
    const engine = await backend.open()
    const removed = await engine.sweep((name) => isKeptName(store, name) || deps.isNeeded(name))
    if (removed > 0) log.info(`Removed ${removed} sandboxes that an earlier server left in ${backend.name}`)
    return engine
  }

  const snapshots = createSnapshots({
    backends: deps.backends,
    open,
    limits: deps.snapshotLimits,
    onChange: (names) => events.passing('sandbox:snapshots', { names }),
  })

  const view = (row: SandboxRow): Sandbox => {
    const live = running.get(row.id)
    const pendingStart = starting.get(row.id)
    if (live) {
      const { busy, expiresAt, sessions, machine } = live
      const terminals = [...sessions.values()].map(({ terminal }) => terminal)
      return toSandbox({ ...row, traffic: machine.traffic() }, { busy, expiresAt, sessions: [...sessions.keys()], terminals })
    }
    return toSandbox(row, pendingStart && { phase: pendingStart.phase, queuePosition: slots.position(row.id) })
  }
  const get = (id: string): Sandbox => view(store.require(id))
  const change = (id: string, values: Parameters<typeof store.change>[1]) =>
    tx(() => {
      store.change(id, values)
      events.append('sandbox:status', { sandbox: get(id) })
    })
  const publishActivity = (id: string) => {
    if (!running.has(id) || !store.get(id)) return
    const { busy, sessionCommandCount, lastUsedAt } = get(id)
    events.passing('sandbox:activity', { id, busy, sessionCommandCount, lastUsedAt })
  }

  const publishStatus = (id: string) => {
    if (store.get(id)) events.passing('sandbox:status', { sandbox: get(id) })
  }

  /** Files with a name given by `leaveAs` stay unless the end was requested; those of a sandbox that keeps its files stay if it was lost. */
  const end = async (
    id: string,
    reason: SandboxEndReason,
    error: string | null = null,
    files: 'remove' | 'leave' = leftNames.has(id)
      ? reason === 'stopped'
        ? 'remove'
        : 'leave'
      : reason === 'session_lost'
        ? 'leave'
        : 'remove',
  ): Promise<void> => {
    const live = running.get(id)
    if (!live) return
    const isFirst = live.stopping === null
    if (isFirst && reason === 'session_lost') live.lossReason = error
    await live.stop(files).catch((failure: unknown) => log.error({ err: failure, sandbox: id }, 'A sandbox could not be ended'))
    if (!isFirst) return
    await recordings.close(id)
    const traffic = live.machine.traffic()
    running.delete(id)
    if (running.size === 0) gauges.stop()
    const row = store.get(id)
    if (!row) return
    const isKept = row.keeps && files === 'leave' && live.machine.leave !== null
    change(id, { status: 'stopped', endedAt: now(), endReason: reason, error, traffic, kept: isKept ? { bytes: null } : null })
    if (isKept && !isClosed) void measureKept()
  }
  const require = (id: string): Running => {
    const { status } = store.require(id)
    const live = running.get(id)
    if (live && live.stopping === null) return live
    const why = starting.has(id) ? 'It is still starting.' : status === 'created' ? 'It was not started.' : 'It was stopped.'
    throw new AppError('sandbox_not_started', { message: `This sandbox is not running. ${why}` })
  }

  const begin = async (
    row: SandboxRow,
    wait: { wait: boolean; timeoutSec?: number | undefined },
    signal: AbortSignal,
  ): Promise<Sandbox> => {
    const { id, spec } = row
    const stop = new AbortController()
    const pendingStart: Starting = { phase: 'queued', stop, done: Promise.resolve() }
    starting.set(id, pendingStart)
    const onPhase = (phase: Sandbox['phase']) => {
      pendingStart.phase = phase
      events.passing('sandbox:status', { sandbox: get(id) })
    }
    const permit = await slots.take(id, { ...wait, signal: AbortSignal.any([signal, stop.signal]) }).catch((error: unknown) => {
      starting.delete(id)
      events.passing('sandbox:status', { sandbox: get(id) })
      if (stop.signal.aborted) throw stop.signal.reason
      throw error
    })
    const work = async (): Promise<Sandbox> => {
      try {
        const backend = backendOf(row.backend)
        await requireImage(backend, spec.image)
        for (const [index, command] of spec.setupCommands.entries())
          refuseBlocked(`Set-up command ${index + 1}`, await deps.evaluateCommand(command, { sandboxId: id, overrides: spec.guard }))
        const engine = await open(backend)
        const { machine, main } = await startMachine(engine, {
          id,
          spec,
          readOnly: readableFolders.get(id) ?? [],
          endpoints: endpointsOf.get(id) ?? [],
          leftAs: row.keeps ? keptName(id) : (leftNames.get(id) ?? null),
          mustGoOn: row.kept !== null,
          recordings,
          onPhase,
          signal: stop.signal,
        })
        starting.delete(id)
        const onOver = (reason: 'idle' | 'lifetime') => void end(id, reason)
        running.set(id, new Running({ machine, main, permit, spec, now, onOver }))
        void watchSession(id, main)
        gauges.start()
        const since = row.startedAt ?? now() // the times of its commands count from its first start
        change(id, {
          status: 'started',
          startedAt: since,
          lastUsedAt: now(),
          endedAt: null,
          endReason: null,
          error: null,
          kept: null,
          isolation: machine.isolation,
        })
        return get(id)
      } catch (error) {
        starting.delete(id)
        permit.release()
        const failure = stop.signal.aborted ? (stop.signal.reason as AppError) : engineError(error)
        if (store.get(id))
          change(id, {
            status: 'stopped',
            endedAt: now(),
            endReason: stop.signal.aborted ? 'stopped' : 'start_failed',
            error: failure.message,
            ...(error instanceof FilesGone && { kept: null }),
          })
        throw failure
      }
    }
    const done = work()
    pendingStart.done = done.catch(() => {})
    return done
  }

  const usage = (): Promise<SandboxUsage[]> =>
    Promise.all([...running].map(async ([id, live]) => ({ id, ...(await live.machine.usage()), traffic: live.machine.traffic() })))

  /** A session can also end between commands. */
  const watchSession = async (id: string, session: Session): Promise<void> => {
    const ending = await session.shell.ended
    const live = running.get(id)
    if (!live || live.stopping !== null || live.sessions.get(session.name) !== session) return
    live.sessions.delete(session.name)
    if (ending === 'lost') return end(id, 'session_lost', engineLost(store.require(id).backend).message)
    if (session.name === 'main') change(id, { status: 'exited' })
    else publishStatus(id)
  }

  const exec = createCommands({ tx, now, store, evaluateCommand: deps.evaluateCommand, require, publishActivity, end })
  const files = createFiles(require)
  const terminal = createTakeOver({ tx, now, store, require, publishStatus, publishActivity })
  /** A repeated key returns the sandbox of the first call, unless it has been removed. */
  const create = async (
    { idempotencyKey, ...spec }: SandboxSpec & { idempotencyKey?: string | undefined },
    { keeps } = { keeps: false },
  ): Promise<Sandbox> => {
    deps.requireRules(spec.guard)
    const { name: backend } = await chooseBackend(deps.backends, spec)
    return tx(() => {
      const before = idempotencyKey === undefined ? null : store.byKey(idempotencyKey)
      if (before) return view(before)
      const id = randomUUID()
      store.insert({ id, backend, spec, keeps, idempotencyKey, at: now() })
      events.append('sandbox:status', { sandbox: get(id) })
      return get(id)
    })
  }
  const start = async (id: string, wait: { wait: boolean; waitTimeoutSec?: number | undefined }, signal: AbortSignal): Promise<Sandbox> => {
    const row = store.require(id)
    if ((row.status !== 'created' && row.kept === null) || starting.has(id)) throw new AppError('sandbox_already_started')
    if (isClosed) throw new AppError('backend_unavailable', { message: 'The server is stopping.' })
    return begin(row, { wait: wait.wait, timeoutSec: wait.waitTimeoutSec }, signal)
  }
  const forget = (id: string) => {
    readableFolders.delete(id)
    endpointsOf.delete(id)
    leftNames.delete(id)
    tx(() => {
      if (store.remove(id)) events.append('sandbox:removed', { id })
    })
    recordings.remove(id)
  }
  /** Their bytes on disk; those of which nothing is left are no longer kept. */
  const measureKept = async (): Promise<void> => {
    const rows = store.kept()
    for (const name of new Set(rows.map(({ backend }) => backend))) {
      const left = await (await open(backendOf(name))).left()
      for (const { id } of rows.filter(({ backend }) => backend === name)) {
        if (store.get(id)?.kept && !starting.has(id)) {
          const bytes = left.get(keptName(id))
          change(id, { kept: bytes === undefined ? null : { bytes } })
        }
      }
    }
  }
  const discardKept = async ({ id, backend }: SandboxRow): Promise<void> => {
    await (await open(backendOf(backend))).forget(keptName(id))
    change(id, { kept: null })
  }
  const takeSnapshot = (id: string, name: string, isTemporary = false): Promise<SandboxSnapshot> => {
    const live = require(id)
    return live.work(() => snapshots.take(live.machine, name, isTemporary))
  }

  return {
    store,
    get,
    create,
    start,
    snapshots,
    takeSnapshot,
    /** A running copy, made from a snapshot that is removed afterwards. */
    async fork(id: string, { name, wait }: { name: string | null; wait: boolean }, signal: AbortSignal): Promise<Sandbox> {
      const image = forkName()
      await takeSnapshot(id, image)
      try {
        const { spec, keeps } = store.require(id)
        const { id: copy } = await create(forkSpec(spec, get(id), image, name), { keeps })
        return await start(copy, { wait }, signal).catch((error: unknown) => {
          if (store.get(copy)?.status === 'created') forget(copy) // it could never be started: its files are deleted
          throw error
        })
      } finally {
        await snapshots.remove(image)
      }
    },
    capacity: (): SandboxCapacity => slots.state(),
    limitsChanged: (): void => slots.limitsChanged(),
    backends: () => Promise.all(deps.backends.map((one) => one.state())),
    list(filter: { status?: SandboxStatus[] | undefined; cursor?: string | undefined; limit: number }) {
      const { items, ...page } = store.list(filter)
      return { items: items.map(view), ...page, capacity: slots.state() }
    },
    ...files,
    exec,
    async interrupt(id: string, session: string): Promise<Sandbox> {
      await require(id).session(session).shell.interrupt()
      return get(id)
    },
    async openSession(id: string, { session: name, tty }: { session: string; tty?: boolean | undefined }): Promise<Sandbox> {
      const live = require(id)
      if (live.sessions.has(name)) throw new AppError('session_exists', { message: `This sandbox has a session "${name}" already.` })
      const { spec } = store.require(id)
      const session = await openSession(live.machine, { sandbox: id, name, isTerminal: tty ?? spec.tty, recordings }).catch(
        (error: unknown) => {
          throw engineError(error)
        },
      )
      live.sessions.set(name, session)
      void watchSession(id, session)
      publishStatus(id)
      return get(id)
    },
    async takeOver(id: string, request: { session: string; window: string }, signal: AbortSignal): Promise<Sandbox> {
      await terminal.takeOver(id, request, signal)
      return get(id)
    },
    async handBack(id: string, session: string): Promise<Sandbox> {
      await terminal.handBack(id, session)
      return get(id)
    },
    /** The output of a session; a window that has taken it over can type into it. */
    screen(id: string, session: string, window: string | null, from: number): Source {
      const live = require(id)
      return live.session(session).open(from, window, { use: () => live.touch(), resize: () => publishStatus(id) })
    },
    async recording(id: string, session: string): Promise<AsyncIterable<Uint8Array>> {
      store.require(id)
      const bytes = await recordings.read(id, session)
      if (!bytes) throw new AppError('recording_not_found')
      return bytes
    },
    trajectory: (id: string, session: string | null): TrajectoryEntry[] => store.trajectory(store.require(id).no, session),
    usage,
    /** Lets a sandbox read folders of this machine. Call before its start. */
    allowReading(id: string, folders: readonly ReadOnlyFolder[]): void {
      readableFolders.set(id, folders)
    },
    /** Lets its programs reach a port of this machine, whatever its network. Call before its start. Returns the address inside. */
    allowPort(id: string, port: number): string {
      const before = endpointsOf.get(id) ?? []
      const inside = FIRST_ENDPOINT + before.length
      endpointsOf.set(id, [...before, { port: inside, to: port }])
      return `http://127.0.0.1:${inside}`
    },
    /** Lets its files stay under a name if this process ends; a sandbox that finds such files goes on with them. Call before its start. */
    leaveAs(id: string, name: string): void {
      leftNames.set(id, name)
    },
    /** Whether it began with the files that an earlier sandbox left under its name. */
    goesOn: (id: string): boolean => require(id).machine.goesOn,
    /** Whether its files can stay when it ends. */
    canLeave: (id: string): boolean => require(id).machine.leave !== null,
    /** Ends its programs; its files stay under its name. False if its engine cannot do that, and then nothing has changed. */
    async leave(id: string): Promise<boolean> {
      const live = running.get(id)
      if (!live?.machine.leave) return false
      await end(id, 'stopped', null, 'leave')
      return true
    },
    /** Deletes the files that were left under a name. */
    async forgetLeft(name: string): Promise<void> {
      for (const backend of deps.backends) if (backend.hasRecords()) await (await open(backend)).forget(name)
    },
    /** Runs a program outside the sessions and returns its streams. The sandbox is not idle while it runs. */
    async spawn(id: string, program: MachineProgram): Promise<Channel> {
      const live = require(id)
      const channel = await live.machine.open(program).catch((error: unknown) => {
        throw engineError(error)
      })
      void live.work(() => channel.exit.catch(() => undefined)) // the caller handles the failure
      return channel
    },
    /** Ends all its programs and sessions; its files stay, and other programs can be started. */
    async endPrograms(id: string): Promise<void> {
      const live = require(id)
      await live.work(() => live.machine.endPrograms())
    },
    /** Builds an image for Docker. Throws `image_unavailable` with the output of the failed step. */
    async buildImage(image: ImageToBuild): Promise<void> {
      const { build } = deps.backends.find((one) => one.build !== null)!
      await build!(image).catch((error: unknown) => {
        throw engineError(error, 'image_unavailable')
      })
    },
    async stop(id: string, remove: boolean): Promise<Sandbox | null> {
      const row = store.require(id)
      const { status } = row
      const pendingStart = starting.get(id)
      if (pendingStart) {
        pendingStart.stop.abort(new AppError('sandbox_not_started', { message: 'It was stopped while it was starting.' }))
        await pendingStart.done
      } else if (running.has(id)) await end(id, 'stopped')
      else if (!remove)
        throw new AppError('sandbox_not_started', {
          message: status === 'created' ? 'This sandbox was not started.' : 'This sandbox was stopped before.',
        })
      if (!remove) return get(id)
      if (store.get(id)?.kept) await discardKept(row)
      forget(id)
      return null
    },
    /** Marks sandboxes of a server that was killed as ended, and removes them from their engines in the background. */
    recover(): void {
      recordings.sweep((id) => store.get(id) !== null)
      const { items: rows } = store.list({ status: ['started', 'exited'], limit: MAX_LEFTOVERS })
      const isLeft = (row: SandboxRow) => row.keeps && ENGINE_ABILITIES[row.backend].leavesFiles
      for (const row of rows)
        change(row.id, { status: 'stopped', endedAt: now(), endReason: 'owner_died', kept: isLeft(row) ? { bytes: null } : null })
      const backendsToSweep = deps.backends.filter((one) => one.hasRecords() || rows.some(({ backend }) => backend === one.name))
      for (const backend of backendsToSweep)
        void open(backend)
          .then(measureKept)
          .catch((error: unknown) => log.warn({ err: error }, `Sandboxes left in ${backend.name} could not be removed`))
    },
    async close(): Promise<void> {
      isClosed = true
      for (const { stop } of starting.values()) stop.abort(new AppError('backend_unavailable', { message: 'The server is stopping.' }))
      await Promise.all([...starting.values()].map(({ done }) => done))
      await Promise.all([...running.keys()].map((id) => end(id, 'owner_died', null, 'leave')))
      await Promise.allSettled(opened.values())
    },
  }
}

export type Sandboxes = ReturnType<typeof createSandboxes>
