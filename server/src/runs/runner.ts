import { setTimeout as sleep } from 'node:timers/promises'
import { Closing } from '#server/jobs/stops.ts'
import type { Engine, EngineExit, EngineHandle } from '#server/adapters/engine/types.ts'
import type { Core } from '#server/core.ts'
import { isDiskFull } from '#server/disk.ts'
import { follow, type Following } from './follow.ts'
import type { EndState, Run, RunChange, RunKind, RunStore } from './types.ts'

export interface RunnerDeps<Live, Failure, Row extends Run<Live, Failure>> {
  core: Pick<Core, 'tx' | 'log' | 'now'>
  store: RunStore<Live, Failure, Row>
  kind: RunKind<Live, Failure, Row>
  engine: (run: Row) => Pick<Engine, 'start' | 'find' | 'attach' | 'control' | 'kill'>
  /** Called in the transaction that changed the run. */
  changed: (id: string) => void
  /** Announces, without storing anything, that a run began or stopped waiting for disk space. */
  unstored: (id: string) => void
  /** Called in the transaction that ends the run. */
  ended: (id: string, state: EndState) => void
  /** Called regularly while the run writes nothing. */
  onQuiet: (run: Row, live: Live) => void
  /** Called when the run no longer occupies a place. */
  onFree: () => void
}

interface Active<Live> {
  following: Following<Live>
  stop: AbortController
  done: Promise<void>
  kill: () => Promise<void>
  /** Resolves when the process has ended; `done` resolves when that is stored. */
  exited: Promise<unknown>
}

/** How often an engine that did not answer is asked again. */
const SEEK_MS = 5000
/** How often storing is retried while the disk is full. */
const RETRY_MS = 1000

/** Starts the processes of runs, follows them, and stores how they ended. Each living process has an `Active`. */
export function createRunner<Live, Failure, Row extends Run<Live, Failure>>(deps: RunnerDeps<Live, Failure, Row>) {
  const { core, store, kind } = deps
  const { tx, log, now } = core
  const active = new Map<string, Active<Live>>()
  const launching = new Map<string, Promise<void>>()
  /** Runs whose engine did not answer when the app started. */
  const seeking = new Map<string, Promise<void>>()
  /** Runs whose events (`unstored`), or whose start or end (`waiting`), could not be stored because the disk is full. */
  const unstored = new Set<string>()
  const waiting = new Set<string>()
  /** Runs that are being cancelled, including runs whose cancellation could not be stored. */
  const cancelled = new Set<string>()
  const closing = new AbortController()

  const change = (id: string, values: RunChange<Live, Failure>) =>
    tx(() => {
      store.change(id, values)
      deps.changed(id)
    })
  const isUnstored = (id: string) => unstored.has(id) || waiting.has(id)
  const noteStoring = (id: string, error: unknown) => {
    const wasStored = !isUnstored(id)
    if (isDiskFull(error)) {
      unstored.add(id)
      if (wasStored) deps.unstored(id)
    } else if (error === null && unstored.delete(id)) tx(() => deps.changed(id))
  }
  /** Stores the start or end of a run. */
  const retryWhenDiskHasSpace = async (id: string, work: () => void) => {
    let mustAnnounce = !isUnstored(id)
    for (;;) {
      unstored.delete(id) // before `work`, whose announcement must not report a full disk any more
      waiting.delete(id)
      try {
        return work()
      } catch (error) {
        if (!isDiskFull(error)) throw error
        log.error({ err: error, run: id }, 'The state of a run could not be stored; trying again')
        waiting.add(id)
        if (mustAnnounce) deps.unstored(id)
        mustAnnounce = false
      }
      await sleep(RETRY_MS, undefined, { signal: closing.signal })
    }
  }
  const free = () => {
    if (closing.signal.aborted) return
    try {
      deps.onFree()
    } catch (error) {
      log.error({ err: error }, 'The queue could not continue')
    }
  }
  const placeOf = (id: string) => ({ runId: id, ...kind.place(id) })
  const saving = (id: string) => (live: Live) => {
    const begins = store.require(id).state === 'preparing' && kind.isAtWork(live)
    store.change(id, { live, ...(begins && { state: 'running' }) })
  }

  /** Follows a living process until it ends. */
  const attach = (run: Row, handle: EngineHandle): Active<Live> => {
    const engine = deps.engine(run)
    const stop = new AbortController()
    const following = follow(
      {
        core,
        intake: kind.intake(run),
        save: saving(run.id),
        onQuiet: (live) => deps.onQuiet(run, live),
        onTrouble: (error) => noteStoring(run.id, error),
      },
      run,
      kind.place(run.id).folder,
    )
    const ended = engine.attach(handle, placeOf(run.id), stop.signal)
    const watch = async () => {
      const exit = await ended
      await following.finish()
      await retryWhenDiskHasSpace(run.id, () => settle(run.id, exit, following.live))
    }
    const done = watch()
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ err: error, run: run.id }, 'A run could not be followed to its end')
      })
      .finally(async () => {
        await following.stop()
        active.delete(run.id)
        cancelled.delete(run.id)
        free()
      })
    const entry = { following, stop, done, exited: ended.catch(() => undefined), kill: () => engine.kill(handle) }
    active.set(run.id, entry)
    return entry
  }

  const settle = (id: string, exit: EngineExit, live: Live) => {
    const run = store.require(id)
    const outcome = kind.outcome(cancelled.has(id) ? { ...run, requestedAction: 'cancel' as const } : run, exit, live)
    const { state } = outcome
    tx(() => {
      store.change(id, { ...outcome, handle: null, requestedAction: null, endedAt: state === 'paused' ? null : now() })
      deps.ended(id, state)
    })
    log.info({ run: id, ...exit }, `A run ended: ${state}`)
  }
  const fail = (id: string, cause: unknown) => {
    const error = kind.failure(store.require(id), cause)
    tx(() => {
      store.change(id, { state: 'failed', error, handle: null, requestedAction: null, endedAt: now() })
      deps.ended(id, 'failed')
    })
  }

  /** Resolves with false if the run lost its turn while the disk was full. */
  const begin = async (id: string, isNext: () => boolean): Promise<boolean> => {
    let isBegun = false
    await retryWhenDiskHasSpace(id, () => {
      if (!isNext()) return
      prepare(id)
      isBegun = true
    })
    if (!isBegun) return false
    try {
      const run = store.require(id)
      const engine = deps.engine(run)
      const handle = await engine.start({ ...(await kind.command(run)), ...placeOf(id) })
      try {
        store.change(id, { handle })
      } catch (error) {
        if (!isDiskFull(error)) throw error // without a stored handle, the process is found by its folder
      }
      await applyRequestedAction(attach(store.require(id), handle), id, handle)
    } catch (error) {
      await retryWhenDiskHasSpace(id, () => fail(id, error))
      free()
    }
    return true
  }
  /** Applies an action that was requested while the run had no process. */
  const applyRequestedAction = async (process: Active<Live>, id: string, handle: EngineHandle): Promise<void> => {
    const run = store.require(id)
    const { requestedAction } = run
    if (cancelled.has(id) || requestedAction === 'cancel') await process.kill()
    else if (requestedAction !== null) await deps.engine(run).control(handle, placeOf(id), requestedAction)
  }
  const prepare = (id: string): void => {
    const before = store.require(id)
    change(id, {
      state: 'preparing',
      queuePlace: null,
      requestedAction: null,
      error: null,
      startedAt: before.startedAt ?? now(),
      endedAt: null,
      live: kind.begin(before.live),
    })
  }

  /** Follows a run that was still running when the app ended. Throws if its engine does not answer. */
  const findAgain = async (run: Row): Promise<void> => {
    const handle = run.handle ?? (await deps.engine(run).find(placeOf(run.id)))
    if (handle === null) return endUnseen(run)
    store.change(run.id, { handle })
    const entry = attach(store.require(run.id), handle)
    await entry.following.drain().catch((error: unknown) => log.error({ err: error, run: run.id }, 'Events of a run could not be stored'))
    await applyRequestedAction(entry, run.id, handle)
  }
  /** Ends a run that has no process because the app ended while starting it. Its files show whether it had begun. */
  const endUnseen = async (run: Row): Promise<void> => {
    const intake = kind.intake(run)
    const following = follow({ core, intake, save: saving(run.id) }, run, kind.place(run.id).folder)
    await following.finish()
    await following.stop()
    const { live } = following
    if (intake.events.offset(live) > intake.events.offset(run.live)) settle(run.id, { code: null, signal: null }, live)
    else fail(run.id, new Error('Bash Gym stopped while this run was starting. Start it again.'))
  }
  const seek = async (run: Row): Promise<void> => {
    for (;;) {
      await sleep(SEEK_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      if (closing.signal.aborted) return
      try {
        await findAgain(run)
        return free()
      } catch (error) {
        log.debug({ err: error, run: run.id }, 'The engine of a run still does not answer')
      }
    }
  }

  return {
    /** Starts the process of a waiting run. Never throws; a run that cannot be started becomes failed. */
    launch(id: string, isNext: () => boolean): Promise<void> {
      const current = launching.get(id)
      if (current) return current // the run waits for disk space
      const work = async () => {
        let isBegun = true
        try {
          isBegun = await begin(id, isNext)
        } catch (error) {
          if (!closing.signal.aborted) log.error({ err: error, run: id }, 'A run could not be started')
        }
        launching.delete(id)
        if (isBegun) return
        if (store.find(id)) deps.unstored(id) // the run waits for its turn again, no longer for disk space
        free()
      }
      const launch = work()
      launching.set(id, launch)
      return launch
    },
    /** Whether something about this run could not be stored because the disk is full. */
    isUnstored,
    /** Called when the app starts: follows runs whose process lives, and ends the others. Does not wait for an engine that does not answer. */
    async pickUp(): Promise<void> {
      for (const run of store.active())
        await findAgain(run).catch((error: unknown) => {
          log.warn({ err: error, run: run.id }, 'The engine of a run does not answer; trying again')
          seeking.set(run.id, seek(run))
        })
    },
    /** Requests an action from the process of a run. */
    async ask(id: string, action: 'pause' | 'save_stop'): Promise<void> {
      const run = store.require(id)
      change(id, { state: 'pausing', requestedAction: action })
      if (run.handle !== null) await deps.engine(run).control(run.handle, placeOf(id), action)
    },
    /** Ends the process of a run and its children; resolves when its state is stored. `onExited` may free disk space for that. */
    async kill(id: string, onExited: () => void): Promise<void> {
      cancelled.add(id)
      try {
        change(id, { requestedAction: 'cancel' })
      } catch (error) {
        if (!isDiskFull(error)) throw error // cancelling must work while the disk is full
      }
      await launching.get(id) // a process that is being started cannot be ended yet
      const entry = active.get(id)
      if (!entry) {
        cancelled.delete(id)
        return onExited()
      }
      await entry.kill()
      await entry.exited
      onExited()
      await entry.done
    },
    /** Stops following; the processes keep running. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all([...launching.values(), ...seeking.values()])
      const all = [...active.values()]
      for (const { stop } of all) stop.abort(new Closing('The app is closing.'))
      await Promise.all(all.map(({ done }) => done))
    },
  }
}
