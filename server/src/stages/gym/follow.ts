import fs from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import { type Batch, createIngest, emptyBatch } from './ingest.ts'
import { createTail, type Line, type Tail } from './lines.ts'
import { elapsed, type Live } from './live.ts'
import type { BlockStore } from './metrics/blocks.ts'
import type { RunRow } from './row.ts'
import type { RunStore } from './store.ts'

/** Longest stretch of work between two turns of the event loop. */
const SLICE_MS = 5
/** At most ten batches a second are committed and told. */
const PACE_MS = 100
/** A file system may tell nothing of an append: then the files are looked at this often. */
const LOOK_MS = 1000

export interface Following {
  /** Takes in what the files hold up to their end; a torn last line waits. */
  drain(): Promise<void>
  /** The same, again and again until it worked: the disk may be full for a while. Rejects when stopped before. */
  finish(): Promise<void>
  stop(): Promise<void>
  readonly live: Live
}

interface Parts {
  core: Core
  store: RunStore
  blocks: BlockStore
  /** In the transaction of each batch: the state before and after. */
  onBatch: (before: Live, after: Live) => void
  /** When a look found nothing new. */
  onQuiet: (live: Live) => void
  /** What was heard could not be stored, or null: it is again. */
  onTrouble: (error: unknown) => void
}

/** Null where the folder is gone: then the timer alone looks. */
function watchFolder(folder: string, onNews: () => void): fs.FSWatcher | null {
  try {
    return fs.watch(folder, onNews).on('error', onNews)
  } catch {
    return null
  }
}

/** Follows the files of a run and takes them in, from where the row says, until it is stopped. */
export function follow({ core, store, blocks, onBatch, onQuiet, onTrouble }: Parts, run: RunRow, folder: string): Following {
  const { tx, events, log, now } = core
  let live = run.live
  const writer = blocks.writer(run.no)
  const ingest = createIngest(store, run, writer, (message) => log.warn({ run: run.id }, message))
  const openTails = () => ({
    events: createTail(path.join(folder, 'events.jsonl'), live.eventsAt),
    log: createTail(path.join(folder, 'training.log'), live.logAt),
  })
  let tails = openTails()
  const closeTails = () => Promise.all([tails.events.close(), tails.log.close()])
  const stopping = new AbortController()

  /** As many of the lines as fit into a slice, committed; how many those were. */
  const commit = (lines: readonly Line[], from: number, take: (state: Live, line: Line, batch: Batch) => Live): number => {
    const batch = emptyBatch()
    const until = performance.now() + SLICE_MS
    let at = from
    let state = live
    try {
      tx(() => {
        do state = take(state, lines[at++]!, batch)
        while (at < lines.length && performance.now() < until)
        writer.flush()
        store.change(run.id, { live: state })
        onBatch(live, state)
      })
    } catch (error) {
      writer.reload()
      throw error
    }
    live = state
    tell(batch)
    return at
  }
  const tell = ({ points, lines }: Batch) => {
    const { step, totalSteps, epoch, tokensPerSec, etaSec, seq } = live
    const tokens = points.at(-1)?.tokens ?? null
    if (points.length > 0)
      events.passing('training:progress', { runId: run.id, seq, step, totalSteps, epoch, tokens, seconds: elapsed(live), tokensPerSec, etaSec, points }) // prettier-ignore
    if (lines.length > 0) events.passing('training:log', { runId: run.id, lines })
  }

  const drainOne = async (tail: Tail, take: (state: Live, line: Line, batch: Batch) => Live) => {
    for (let lines = await tail.next(); lines !== null; lines = await tail.next()) {
      for (let at = 0; at < lines.length;) {
        at = commit(lines, at, take)
        await nextTurn()
      }
    }
  }
  const drainAll = async () => {
    try {
      await drainOne(tails.log, (state, line, batch) => ingest.log(state, line, now(), batch))
      await drainOne(tails.events, (state, line, batch) => ingest.event(state, line, batch))
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
        .then(() => (before === live ? onQuiet(live) : onTrouble(null)))
        .catch((error: unknown) => {
          log.error({ err: error, run: run.id }, 'Events of a run could not be stored; trying again')
          onTrouble(error)
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
          onTrouble(error)
          await sleep(LOOK_MS, undefined, { signal: stopping.signal })
        }
      }
    },
    async stop() {
      stopping.abort()
      await looping
      await draining.catch(() => undefined) // told by the loop
      await closeTails()
    },
    get live() {
      return live
    },
  }
}
