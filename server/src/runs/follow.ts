import fs from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import { createTail, type Line, type Tail } from './lines.ts'
import type { Intake, Source } from './types.ts'

/** The longest time that one batch may block the event loop. */
const SLICE_MS = 5
/** At most ten batches a second are committed and published. */
const PACE_MS = 100
/** The files are also polled, because a file system may not report an append. */
const POLL_MS = 1000

export interface Following<Live> {
  /** Reads the files up to their end; an incomplete last line is read later. */
  drain(): Promise<void>
  /** Like `drain`, but retries until it succeeds, because the disk may be full for a while. Rejects if stopped first. */
  finish(): Promise<void>
  stop(): Promise<void>
  readonly live: Live
}

interface Deps<Live> {
  core: Pick<Core, 'tx' | 'log'>
  intake: Intake<Live>
  /** Stores the state, inside the transaction of each batch. */
  save: (live: Live) => void
  /** Called when a poll found nothing new. */
  onQuiet?: (live: Live) => void
  /** Called with the error if a batch could not be stored, and with null when storing works again. */
  onTrouble?: (error: unknown) => void
}

/** Null if the folder does not exist; then only polling finds changes. */
export function watchFolder(folder: string, onNews: () => void): fs.FSWatcher | null {
  try {
    return fs.watch(folder, onNews).on('error', onNews)
  } catch {
    return null
  }
}

/** Reads the files of a run from the offsets in its state, and stores their lines until it is stopped. */
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

  /** Commits lines for at most one slice; returns the index of the next line. */
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
      tails = openTails() // lines that could not be stored are read again
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
      if (!signal.aborted) await Promise.race([news.promise, wait(POLL_MS)])
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
          await sleep(POLL_MS, undefined, { signal: stopping.signal })
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
