import fs from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import { createTail, type Line, type Tail } from './lines.ts'
import type { Intake, Source } from './types.ts'

/** Longest work between two turns of the event loop. */
const SLICE_MS = 5
/** At most ten batches a second are committed and published. */
const PACE_MS = 100
/** A file system may not report an append: so the files are checked this often. */
const LOOK_MS = 1000

export interface Following<Live> {
  /** Reads the files up to their end; a torn last line waits. */
  drain(): Promise<void>
  /** The same, retried until it succeeds: the disk may be full for a while. Rejects when stopped before. */
  finish(): Promise<void>
  stop(): Promise<void>
  readonly live: Live
}

interface Deps<Live> {
  core: Pick<Core, 'tx' | 'log'>
  intake: Intake<Live>
  /** Stores the state, in the transaction of each batch. */
  save: (live: Live) => void
  /** Called when a check found nothing new. */
  onQuiet?: (live: Live) => void
  /** The error when a batch could not be stored; null: storing works again. */
  onTrouble?: (error: unknown) => void
}

/** Null if the folder is gone: then only the timer checks. */
export function watchFolder(folder: string, onNews: () => void): fs.FSWatcher | null {
  try {
    return fs.watch(folder, onNews).on('error', onNews)
  } catch {
    return null
  }
}

/** Follows the files of a run and stores their lines, from the offsets in its state, until it is stopped. */
export function follow<Live>(
  { core: { tx, log }, intake, save, onQuiet, onTrouble }: Deps<Live>,
  run: { id: string; live: Live },
  folder: string,
): Following<Live> {
  let live = run.live
  const sources = [...(intake.log ? [intake.log] : []), intake.events]
  const openTails = () => sources.map((source) => ({ source, tail: createTail(path.join(folder, source.file), source.offset(live)) }))
  let tails = openTails()
  const closeTails = () => Promise.all(tails.map(({ tail }) => tail.close()))
  const stopping = new AbortController()

  /** Commits as many lines as fit into a slice; returns the index after them. */
  const commit = (lines: readonly Line[], from: number, { take }: Source<Live>): number => {
    const until = performance.now() + SLICE_MS
    let at = from
    let state = live
    try {
      tx(() => {
        intake.begin()
        do state = take(state, lines[at++]!)
        while (at < lines.length && performance.now() < until)
        save(state)
        intake.end(live, state)
      })
    } catch (error) {
      intake.afterRollback()
      throw error
    }
    live = state
    intake.afterCommit(live)
    return at
  }

  const drainOne = async (source: Source<Live>, tail: Tail) => {
    for (let lines = await tail.next(); lines !== null; lines = await tail.next()) {
      for (let at = 0; at < lines.length;) {
        at = commit(lines, at, source)
        await nextTurn()
      }
    }
  }
  const drainAll = async () => {
    try {
      for (const { source, tail } of tails) await drainOne(source, tail)
    } catch (error) {
      await closeTails()
      tails = openTails() // what was read and could not be stored (the disk is full) is read again
      throw error
    }
  }
  let draining: Promise<void> = Promise.resolve()
  const drain = () => (draining = draining.catch(() => undefined).then(drainAll))

  const loop = async () => {
    const { signal } = stopping
    let news = Promise.withResolvers<void>()
    const watcher = watchFolder(folder, () => news.resolve())
    const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
    while (!signal.aborted) {
      news = Promise.withResolvers<void>()
      const before = live
      await drain()
        .then(() => (before === live ? onQuiet?.(live) : onTrouble?.(null)))
        .catch((error: unknown) => {
          log.error({ err: error, run: run.id }, 'Events of a run could not be stored; trying again')
          onTrouble?.(error)
        })
      await wait(PACE_MS)
      if (!signal.aborted) await Promise.race([news.promise, wait(LOOK_MS)])
    }
    watcher?.close()
  }
  const looping = loop()

  return {
    drain,
    async finish() {
      for (;;) {
        try {
          return await drain()
        } catch (error) {
          stopping.signal.throwIfAborted()
          log.error({ err: error, run: run.id }, 'The last events of a run could not be stored; trying again')
          onTrouble?.(error)
          await sleep(LOOK_MS, undefined, { signal: stopping.signal })
        }
      }
    },
    async stop() {
      stopping.abort()
      await looping
      await draining.catch(() => undefined) // reported by the loop
      await closeTails()
    },
    get live() {
      return live
    },
  }
}
