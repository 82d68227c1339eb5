import { setTimeout as sleep } from 'node:timers/promises'
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
  /** In the transaction that changed the run. */
  changed: (id: string) => void
  /** Tells of a run without storing anything: the disk is full, or the run does not wait for space any more. */
  unstored: (id: string) => void
  /** In the transaction that ends the run. */
  ended: (id: string, state: EndState) => void
  /** Now and then while nothing is heard. */
  onQuiet: (run: Row, live: Live) => void
  /** After the run has freed its place. */
  onFree: () => void
}

interface Active<Live> {
  following: Following<Live>
  stop: AbortController
  done: Promise<void>
  kill: () => Promise<void>
  /** Resolves when the process is gone; `done` waits until that is stored. */
  gone: Promise<unknown>
}

/** An engine that does not answer is asked for its jobs this often. */
const SEEK_MS = 5000
/** While the disk is full, what must be stored of a run is tried again this often. */
const TRY_AGAIN_MS = 1000

/** Starts the processes of runs, follows them, and stores how they ended. One `Active` a living process. */
export function createRunner<Live, Failure, Row extends Run<Live, Failure>>(deps: RunnerDeps<Live, Failure, Row>) {
  const { core, store, kind } = deps
  const { tx, log, now } = core
  const active = new Map<string, Active<Live>>()
  const launching = new Map<string, Promise<void>>()
  /** Runs whose engine did not answer when the app started. */
  const seeking = new Map<string, Promise<void>>()
  /** Runs whose events, and whose beginning or end, wait for space on the disk. */
  const unstored = new Set<string>()
  const waiting = new Set<string>()
  /** Runs that are being cancelled: also if there is no space to store that. */
  const cancelled = new Set<string>()
  const closing = new AbortController()

  const change = (id: string, values: RunChange<Live, Failure>) =>
    tx(() => {
      store.change(id, values)
      deps.changed(id)
    })
  const isUnstored = (id: string) => unstored.has(id) || waiting.has(id)
  const note = (id: string, error: unknown) => {
    const isNews = !isUnstored(id)
    if (isDiskFull(error)) {
      unstored.add(id)
      if (isNews) deps.unstored(id)
    } else if (error === null && unstored.delete(id)) tx(() => deps.changed(id))
  }
  /** Stores how a run begins or ends. */
  const retryWhenDiskHasSpace = async (id: string, work: () => void) => {
    let isNews = !isUnstored(id)
    for (;;) {
      unstored.delete(id) // what `work` announces says no more that the disk is full
      waiting.delete(id)
      try {
        return work()
      } catch (error) {
        if (!isDiskFull(error)) throw error
        log.error({ err: error, run: id }, 'The state of a run could not be stored; trying again')
        waiting.add(id)
        if (isNews) deps.unstored(id)
        isNews = false
      }
      await sleep(TRY_AGAIN_MS, undefined, { signal: closing.signal })
    }
  }
  const free = () => {
    if (closing.signal.aborted) return
    try {
      deps.onFree()
    } catch (error) {
      log.error({ err: error }, 'The queue could not go on')
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
        onTrouble: (error) => note(run.id, error),
      },
      run,
      kind.place(run.id).folder,
    )
    const gone = engine.attach(handle, placeOf(run.id), stop.signal)
    const watch = async () => {
      const exit = await gone
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
    const one = { following, stop, done, gone: gone.catch(() => undefined), kill: () => engine.kill(handle) }
    active.set(run.id, one)
    return one
  }

  const settle = (id: string, exit: EngineExit, live: Live) => {
    const run = store.require(id)
    const asked = cancelled.has(id) ? { ...run, requestedAction: 'cancel' as const } : run
    const outcome = kind.outcome(asked, exit, live)
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

  /** Resolves with whether it was begun: while the disk was full it may have lost its turn. */
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
        if (!isDiskFull(error)) throw error // else it is found again by its folder
      }
      await passOn(attach(store.require(id), handle), id, handle)
    } catch (error) {
      await retryWhenDiskHasSpace(id, () => fail(id, error))
      free()
    }
    return true
  }
  /** Passes on what was asked for while there was no process to ask. */
  const passOn = async (one: Active<Live>, id: string, handle: EngineHandle): Promise<void> => {
    const run = store.require(id)
    const { requestedAction } = run
    if (cancelled.has(id) || requestedAction === 'cancel') await one.kill()
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
    const one = attach(store.require(run.id), handle)
    await one.following.drain().catch((error: unknown) => log.error({ err: error, run: run.id }, 'Events of a run could not be stored'))
    await passOn(one, run.id, handle) // asked for before the app ended
  }
  /** The app ended while it started this run, and no process of it lives: its files say how far it came. */
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
        log.debug({ err: error, run: run.id }, 'A run at work can still not be looked for')
      }
    }
  }

  return {
    /** Starts the process of a run that waits. Never throws: a run that cannot be started has failed, with the reason. */
    launch(id: string, isNext: () => boolean): Promise<void> {
      const known = launching.get(id)
      if (known) return known // it waits for space
      const work = async () => {
        let isBegun = true
        try {
          isBegun = await begin(id, isNext)
        } catch (error) {
          if (!closing.signal.aborted) log.error({ err: error, run: id }, 'A run could not be begun')
        }
        launching.delete(id)
        if (isBegun) return
        if (store.find(id)) deps.unstored(id) // it waits for its turn again, no more for space
        free()
      }
      const one = work()
      launching.set(id, one)
      return one
    },
    /** Whether something of this run waits for space on the disk. */
    isUnstored,
    /** After a start of the app: runs whose process lives are followed on, the others get their end. Does not wait for an engine that is away. */
    async pickUp(): Promise<void> {
      for (const run of store.active())
        await findAgain(run).catch((error: unknown) => {
          log.warn({ err: error, run: run.id }, 'A run at work cannot be looked for now; trying again')
          seeking.set(run.id, seek(run))
        })
    },
    /** Asks the process of a run for something. */
    async ask(id: string, action: 'pause' | 'save_stop'): Promise<void> {
      const run = store.require(id)
      change(id, { state: 'pausing', requestedAction: action })
      if (run.handle !== null) await deps.engine(run).control(run.handle, placeOf(id), action)
    },
    /** Ends the process of a run with everything it started; its state is stored when this resolves. `onGone` may free space for that. */
    async kill(id: string, onGone: () => void): Promise<void> {
      cancelled.add(id)
      try {
        change(id, { requestedAction: 'cancel' })
      } catch (error) {
        if (!isDiskFull(error)) throw error // what is to end the run shall not need space
      }
      await launching.get(id) // a process that is being started cannot be ended yet
      const one = active.get(id)
      if (!one) {
        cancelled.delete(id)
        return onGone()
      }
      await one.kill()
      await one.gone
      onGone()
      await one.done
    },
    /** Stops following; the processes keep running. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all([...launching.values(), ...seeking.values()])
      const all = [...active.values()]
      for (const { stop } of all) stop.abort(new DOMException('The app is closing.', 'AbortError'))
      await Promise.all(all.map(({ done }) => done))
    },
  }
}
