import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunState } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import type { Engine, EngineExit, EngineHandle, EngineJob } from '#server/adapters/engine/types.ts'
import type { Core } from '#server/core.ts'
import { isDiskFull } from '#server/disk.ts'
import { type RunFolders, tailOf } from './folder.ts'
import { follow, type Following } from './follow.ts'
import { elapsed, type Live } from './live.ts'
import type { BlockStore } from './metrics/blocks.ts'
import type { RunError, RunRow, Wish } from './row.ts'
import type { RunChange, RunStore } from './store.ts'

export interface RunnerParts {
  core: Core
  store: RunStore
  blocks: BlockStore
  folders: RunFolders
  engine: (name: RunRow['asked']['request']['engine']) => Engine
  /** Program and environment of a run. Throws `training_unavailable`. */
  command: (run: RunRow) => Promise<Pick<EngineJob, 'argv' | 'env'>>
  /** In the transaction that changed the run. */
  changed: (id: string) => void
  /** Tells of a run without storing anything: there is no room, or it does not wait for room any more. */
  unstored: (id: string) => void
  /** In the transaction that ends the run. */
  ended: (id: string, state: 'completed' | 'failed' | 'paused' | 'cancelled') => void
  /** In the transaction of a batch. */
  onBatch: (run: RunRow, before: Live, after: Live) => void
  /** Now and then while nothing is heard. */
  onQuiet: (run: RunRow, live: Live) => void
  /** After the run has freed its place. */
  onFree: () => void
}

interface Active {
  following: Following
  stop: AbortController
  done: Promise<void>
  kill: () => Promise<void>
  /** Resolves when the process is gone; `done` waits until that is stored. */
  gone: Promise<unknown>
}

/** A cluster that is away is asked for its jobs this often. */
const SEEK_MS = 5000
/** While the disk is full, what must be stored of a run is tried again this often. */
const TRY_AGAIN_MS = 1000
const AT_WORK = new Set(['warming', 'training', 'evaluating', 'saving'])

/** Starts trainers, follows them, and says how they ended. One `Active` a living process. */
export function createRunner(parts: RunnerParts) {
  const { core, store, blocks, folders } = parts
  const { tx, log, now } = core
  const active = new Map<string, Active>()
  const launching = new Map<string, Promise<void>>()
  /** Runs whose engine did not answer when the app started. */
  const seeking = new Map<string, Promise<void>>()
  /** Runs whose events, and whose beginning or end, wait for room on the disk. */
  const unstored = new Set<string>()
  const waiting = new Set<string>()
  /** Runs that are being cancelled: also where there is no room to write the wish down. */
  const cancelled = new Set<string>()
  const closing = new AbortController()
  let isClosing = false

  const change = (id: string, values: RunChange) =>
    tx(() => {
      store.change(id, values)
      parts.changed(id)
    })
  const isUnstored = (id: string) => unstored.has(id) || waiting.has(id)
  const note = (id: string, error: unknown) => {
    const isNews = !isUnstored(id)
    if (isDiskFull(error)) {
      unstored.add(id)
      if (isNews) parts.unstored(id)
    } else if (error === null && unstored.delete(id)) tx(() => parts.changed(id))
  }
  /** Stores how a run begins or ends: once there is room for it. */
  const whenThereIsRoom = async (id: string, work: () => void) => {
    let isNews = !isUnstored(id)
    for (;;) {
      unstored.delete(id) // what is told in it says no more that there is none
      waiting.delete(id)
      try {
        return work()
      } catch (error) {
        if (!isDiskFull(error)) throw error
        log.error({ err: error, run: id }, 'The state of a run could not be stored; trying again')
        waiting.add(id)
        if (isNews) parts.unstored(id)
        isNews = false
      }
      await sleep(TRY_AGAIN_MS, undefined, { signal: closing.signal })
    }
  }
  const free = () => {
    if (isClosing) return
    try {
      parts.onFree()
    } catch (error) {
      log.error({ err: error }, 'The queue could not go on')
    }
  }
  const placeOf = (id: string) => ({ runId: id, folder: folders.of(id), log: folders.log(id) })

  /** Follows a living process until it ends. */
  const attach = (run: RunRow, handle: EngineHandle): Active => {
    const engine = parts.engine(run.asked.request.engine)
    const stop = new AbortController()
    const onBatch = (before: Live, after: Live) => {
      const { state } = store.require(run.id)
      if (state === 'preparing' && AT_WORK.has(after.phase ?? '')) store.change(run.id, { state: 'running' })
      parts.onBatch(run, before, after)
    }
    const onQuiet = (live: Live) => parts.onQuiet(run, live)
    const onTrouble = (error: unknown) => note(run.id, error)
    const following = follow({ core, store, blocks, onBatch, onQuiet, onTrouble }, store.require(run.id), folders.of(run.id))
    const gone = engine.attach(handle, placeOf(run.id), stop.signal)
    const watch = async () => {
      const exit = await gone
      await following.finish()
      await whenThereIsRoom(run.id, () => settle(run.id, exit, following.live))
    }
    const done = watch()
      .catch((error: unknown) => {
        if (!isClosing) log.error({ err: error, run: run.id }, 'A run could not be followed to its end')
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
    const wish = cancelled.has(id) ? 'cancel' : run.wish
    const { state, error } = endOf({ wish }, exit, live, tailOf(folders.log(id)))
    if (state === 'cancelled') folders.removeResult(id)
    tx(() => {
      store.change(id, {
        state,
        error,
        handle: null,
        wish: null,
        live: { ...live, trainSec: live.trainSec ?? (live.lastAt === null ? null : elapsed(live)) }, // killed without a word
        health: run.health.filter(({ code }) => code !== 'stalled'), // it has ended: that is told another way
        sizeBytes: folders.size(id),
        endedAt: state === 'paused' ? null : now(),
      })
      parts.ended(id, state)
    })
    log.info({ run: id, ...exit }, `A run ended: ${state}`)
  }

  const fail = (id: string, error: unknown) => {
    const known = error instanceof AppError ? error : null
    const message = known ? `${known.message}${known.hint ? ` ${known.hint}` : ''}` : isDiskFull(error) ? FULL : (error as Error).message
    const code = known?.code ?? (isDiskFull(error) ? 'disk_full' : 'internal')
    tx(() => {
      const failed: RunError = { code, message, row: null, logTail: tailOf(folders.log(id)) }
      store.change(id, { state: 'failed', error: failed, handle: null, wish: null, endedAt: now() })
      parts.ended(id, 'failed')
    })
  }

  /** Resolves with whether it was begun: while there was no room it may have lost its turn. */
  const begin = async (id: string, isNext: () => boolean): Promise<boolean> => {
    let isBegun = false
    await whenThereIsRoom(id, () => {
      if (!isNext()) return
      prepare(id)
      isBegun = true
    })
    if (!isBegun) return false
    try {
      const run = store.require(id)
      if (!fs.existsSync(folders.config(id)))
        throw new AppError('training_unavailable', {
          message: `The folder of this run is missing: ${folders.of(id)}.`,
          hint: 'Run it again.',
        })
      const engine = parts.engine(run.asked.request.engine)
      const command = await parts.command(run)
      folders.clearWish(id)
      const handle = await engine.start({ ...command, ...placeOf(id) })
      try {
        store.change(id, { handle })
      } catch (error) {
        if (!isDiskFull(error)) throw error // else it is found again by its folder
      }
      await tellWish(attach(store.require(id), handle), id, handle) // asked for while it was being started
    } catch (error) {
      await whenThereIsRoom(id, () => fail(id, error))
      free()
    }
    return true
  }
  /** Hands on what was asked for while there was no process to ask. */
  const tellWish = async (one: Active, id: string, handle: EngineHandle): Promise<void> => {
    const { wish, asked } = store.require(id)
    if (cancelled.has(id) || wish === 'cancel') await one.kill()
    else if (wish !== null) await parts.engine(asked.request.engine).control(handle, placeOf(id), wish)
  }
  const prepare = (id: string): void => {
    const before = store.require(id)
    change(id, {
      state: 'preparing',
      queuePlace: null,
      wish: null,
      error: null,
      startedAt: before.startedAt ?? now(),
      endedAt: null,
      live: { ...before.live, outcome: null, phase: null, etaSec: null },
    })
  }

  /** Goes on with a run that was at work when the app ended. Throws where its engine does not answer. */
  const findAgain = async (run: RunRow): Promise<void> => {
    const handle = run.handle ?? (await parts.engine(run.asked.request.engine).find(placeOf(run.id)))
    if (handle === null) return endUnseen(run)
    store.change(run.id, { handle })
    const one = attach(store.require(run.id), handle)
    await one.following.drain().catch((error: unknown) => log.error({ err: error, run: run.id }, 'Events of a run could not be stored'))
    await tellWish(one, run.id, handle) // wished before the app ended
  }
  /** The app ended while it started this run, and no process of it lives: its files say how far it came. */
  const endUnseen = async (run: RunRow): Promise<void> => {
    const nothing = () => undefined
    const following = follow({ core, store, blocks, onBatch: nothing, onQuiet: nothing, onTrouble: nothing }, run, folders.of(run.id))
    await following.finish()
    await following.stop()
    const { live } = following
    if (live.seq > run.live.seq) settle(run.id, { code: null, signal: null }, live)
    else fail(run.id, new Error('Bash Gym stopped while this run was starting. Start it again.'))
  }
  const seek = async (run: RunRow): Promise<void> => {
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
      if (known) return known // it waits for room
      const work = async () => {
        let isBegun = true
        try {
          isBegun = await begin(id, isNext)
        } catch (error) {
          if (!isClosing) log.error({ err: error, run: id }, 'A run could not be begun')
        }
        launching.delete(id)
        if (isBegun) return
        if (store.find(id)) parts.unstored(id) // it waits for its turn again, no more for room
        free()
      }
      const one = work()
      launching.set(id, one)
      return one
    },
    /** Whether something of this run waits for room on the disk. */
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
      change(id, { state: 'pausing', wish: action })
      if (run.handle !== null) await parts.engine(run.asked.request.engine).control(run.handle, placeOf(id), action)
    },
    /** Ends the process of a run with everything it started; its state is settled when this resolves. `onGone` makes room. */
    async kill(id: string, onGone: () => void): Promise<void> {
      cancelled.add(id)
      try {
        change(id, { wish: 'cancel' })
      } catch (error) {
        if (!isDiskFull(error)) throw error // what is to end the run shall not need room
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
    /** Leaves the trainers at work and stops looking. */
    async close(): Promise<void> {
      isClosing = true
      closing.abort()
      await Promise.all([...launching.values(), ...seeking.values()])
      const all = [...active.values()]
      for (const { stop } of all) stop.abort(new DOMException('The app is closing.', 'AbortError'))
      await Promise.all(all.map(({ done }) => done))
    },
  }
}
export type Runner = ReturnType<typeof createRunner>

type End = Extract<RunState, 'completed' | 'failed' | 'paused' | 'cancelled'>

/** How a run ended, from what the trainer said and how its process went. Pure. */
export function endOf(run: { wish: Wish | null }, exit: EngineExit, live: Live, logTail: string): { state: End; error: RunError | null } {
  const { outcome } = live
  if (outcome?.kind === 'complete') return { state: 'completed', error: null }
  if (run.wish === 'cancel') return { state: 'cancelled', error: null } // also where it was about to pause: its checkpoints went with the cancel
  if (outcome?.kind === 'paused' || outcome?.kind === 'cancelled') return { state: outcome.kind, error: null }
  if (outcome?.kind === 'failed')
    return { state: 'failed', error: { code: outcome.code, message: outcome.message, row: outcome.row, logTail } }
  if (exit.code === DISK_FULL) return { state: 'failed', error: { code: 'disk_full', message: FULL, row: null, logTail } }
  const error = { code: exit.signal === null ? 'ended' : 'killed', message: sentenceOf(exit), row: null, logTail }
  return { state: 'failed', error }
}

/** The trainer's exit code where not even the line that says so could be written (`bashgym_trainers/train.py`). */
const DISK_FULL = 74
const FULL = 'The disk is full, so the trainer could not record how it ended. Free up disk space, then resume from the last checkpoint.'

function sentenceOf({ code, signal }: EngineExit): string {
  if (signal === 'SIGKILL')
    return 'The trainer was killed by the system or another program (SIGKILL), most often because memory ran out. Lower the micro-batch size or max length, or resume from the last checkpoint.'
  if (signal === 'SIGSEGV') return 'The trainer crashed in native code (SIGSEGV). The log may show where. Resume from the last checkpoint.'
  if (signal !== null) return `The trainer was ended by ${signal}.`
  if (code !== null) return `The trainer exited with code ${code} without an error message. The end of its log is below.`
  return 'The trainer ended while Bash Gym was not running: the machine was restarted, or the trainer was killed. Resume from the last checkpoint.'
}
