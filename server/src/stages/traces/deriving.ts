import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { Closing } from '#server/jobs/stops.ts'
import type { Core } from '#server/core.ts'
import { CHECKPOINT_JOB, createCheckpoints } from '#server/db/checkpoint.ts'
import type { ArchiveChange, DerivedCounts } from '#server/stages/capture/types.ts'
import type { DeriveInput, DeriveOutput, DerivedTrace } from './derived.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import { costOf } from '#server/prices/prices.ts'
import { toTrace } from './rows.ts'
import type { Sessions } from './sessions.ts'
import type { TraceStore } from './store.ts'
import { countOf, isLong, SLICE } from './slices.ts'
import { writeInSlices, writeWhole } from './write.ts'
import type { ReadyOutput, WriteHooks, WriteResult } from './write.ts'

export const DERIVE_JOB = new URL('./derive.job.ts', import.meta.url)
const FOLLOW = new URL('./follow.ts', import.meta.url)
/** At most 4 updates a second of one trace. */
const UPDATE_MS = 250

export interface AnalyserUse {
  name: string
  url: string
  /** For a session, or for all (null). */
  options: (traceId: string | null) => unknown
}

export interface DerivingDeps {
  core: Core
  store: TraceStore
  sessions: Sessions
  analysers: readonly AnalyserUse[]
  /** Inside the transaction that writes the trace: scoring stores its result and calls `setPolicyScore`. */
  onDerived: (traceId: string, analyses: Record<string, unknown>, trace: DerivedTrace, news: { grown: boolean }) => void
  prices: () => readonly OwnPrice[]
  /** Sets the effective tier from the user's decisions, for a new or restored trace. */
  applyTier: (traceId: string) => void
  /** Runs the reader; in a worker thread except in tests. */
  derive?: (input: DeriveInput, options: { live: boolean; signal: AbortSignal }) => Promise<DeriveOutput>
  /** After each commit, so that the search index is updated. */
  onWritten: () => void
}

interface PendingChange {
  change: ArchiveChange
  waiters: { resolve: (counts: DerivedCounts) => void; reject: (error: unknown) => void }[]
}

export type Deriving = ReturnType<typeof createDeriving>

/**
 * From "new bytes are in the archive" to rows. One derive runs at a time per trace; changes in the meantime are
 * merged. Results are written by a single loop, several short traces per transaction, long ones in slices.
 */
export function createDeriving(deps: DerivingDeps) {
  const { core, store } = deps
  const stop = new AbortController()
  const running = new Map<string, { next: PendingChange | null }>()
  const lastUpdatedAt = new Map<string, number>()
  const writeQueue: { item: ReadyOutput; resolve: () => void; reject: (error: unknown) => void }[] = []
  let writing: Promise<void> | null = null
  let imports = 0

  const derive =
    deps.derive ??
    ((input, { live, signal }) =>
      core.workers.run<DeriveOutput>(DERIVE_JOB, input, { lane: live ? 'live' : 'bulk', signal, ...(live ? { key: input.traceId } : {}) }))

  const checkpoint = createCheckpoints(core.db, () =>
    core.workers
      .run<void>(CHECKPOINT_JOB, { database: core.paths.database }, { lane: 'query', signal: stop.signal })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) core.log.warn({ err: error }, 'the write-ahead log could not be moved into the database')
      }),
  )

  const enqueueWrite = (item: ReadyOutput): Promise<void> =>
    new Promise((resolve, reject) => {
      writeQueue.push({ item, resolve, reject })
      writing ??= drainWrites().finally(() => (writing = null))
    })

  const drainWrites = async () => {
    await nextTurn()
    while (writeQueue.length) {
      if (isLong(writeQueue[0]!.item.output)) {
        const { item, resolve, reject } = writeQueue.shift()!
        await writeInSlices(store, core.tx, hooksOf([]), item).then(() => resolve(), reject)
      } else writeTogether()
      deps.onWritten()
      await checkpoint()
      await nextTurn()
    }
  }

  /** As many short outputs as fit into one transaction; if that fails, each separately, so that one cannot break the others. */
  const writeTogether = () => {
    const batch: typeof writeQueue = []
    for (let rows = 0; writeQueue.length && !isLong(writeQueue[0]!.item.output);) {
      rows += countOf(writeQueue[0]!.item.output) + 10
      if (batch.length && rows > SLICE) break
      batch.push(writeQueue.shift()!)
    }
    try {
      core.tx(() => writeBatch(batch.map(({ item }) => item)))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error)
      for (const { item, resolve, reject } of batch) {
        try {
          core.tx(() => writeBatch([item]))
          resolve()
        } catch (itemError) {
          reject(itemError)
        }
      }
    }
  }

  const writeBatch = (items: readonly ReadyOutput[]) => {
    const batch: BatchEntry[] = []
    const hooks = hooksOf(batch)
    for (const item of items) writeWhole(store, hooks, item)
    emitBatch(batch)
  }

  interface BatchEntry {
    jobId: string | null
    written: WriteResult
  }

  const emitBatch = (batch: readonly BatchEntry[]) => {
    for (const jobId of new Set(batch.map((one) => one.jobId))) {
      const batchOfJob = batch.filter((one) => one.jobId === jobId)
      core.events.append('trace:batch', {
        jobId,
        added: batchOfJob.filter(({ written }) => written.isNew).map(({ written }) => written.traceId),
        updated: batchOfJob.filter(({ written }) => !written.isNew).map(({ written }) => written.traceId),
      })
    }
  }

  /** `collect` gathers the traces of an import for one `trace:batch` event; a long trace gets an event of its own. */
  const hooksOf = (collect: BatchEntry[]): WriteHooks => {
    let factsBefore: string | null = null
    return {
      costOf: (derived) => {
        const row = store.find(derived.traceId)
        factsBefore = row ? factsText(row) : null
        return costOf(derived.tokensByModel, deps.prices())
      },
      stateOf: deps.sessions.stateOf,
      afterTrace(written, { change, output }) {
        deps.onDerived(written.traceId, output.analyses, output.trace, { grown: written.changedEntries > 0 })
        if (written.isNew) deps.applyTier(written.traceId)
        if (change.reason === 'rebuild') return
        const row = store.require(written.traceId)
        if (!written.isNew && written.changedEntries === 0 && factsText(row) === factsBefore) return
        if (change.reason !== 'live') {
          const entry = { jobId: change.jobId, written }
          if (isLong(output)) emitBatch([entry])
          else collect.push(entry)
          return
        }
        const trace = toTrace(row)
        if (written.isNew) return core.events.append('trace:added', { trace })
        const span = store.seqSpan(written.no, written.rev)
        core.events.append('trace:updated', { id: written.traceId, trace, fromSeq: span.low, toSeq: span.high })
      },
    }
  }

  const currentAnalysers = (traceId: string | null) =>
    deps.analysers.map(({ name, url, options }) => ({ name, url, options: options(traceId) }))

  const deriveOnce = async (change: ArchiveChange): Promise<DerivedCounts> => {
    const { traceId } = change
    const live = change.reason === 'live'
    if (live) {
      const wait = (lastUpdatedAt.get(traceId) ?? 0) + UPDATE_MS - core.now()
      if (wait > 0 && wait <= UPDATE_MS) await delay(wait, undefined, { signal: stop.signal })
    }
    const since = store.head(traceId)?.derived_version ?? null
    const input: DeriveInput = {
      traceId,
      traceDir: change.traceDir,
      keep: live,
      since,
      analysers: currentAnalysers(traceId),
    }
    const followed = since === null ? (change.followerResult as DeriveOutput | undefined) : undefined // made by follow.ts
    const output = followed ?? (await derive(input, { live, signal: stop.signal }))
    if (isWithoutConversation(output)) removeRows(traceId)
    else await enqueueWrite({ change, output, since })
    if (live) lastUpdatedAt.set(traceId, core.now())
    return { records: output.records, steps: output.steps, errors: output.errors }
  }

  const removeRows = (traceId: string) =>
    core.tx(() => {
      const head = store.head(traceId)
      if (!head) return
      store.remove(head.no)
      core.events.append('trace:removed', { id: traceId })
    })

  const deriveUntilCurrent = async (first: PendingChange) => {
    const state = { next: null as PendingChange | null }
    running.set(first.change.traceId, state)
    for (let pending: PendingChange | null = first; pending; pending = state.next) {
      state.next = null
      const { change, waiters } = pending
      const isImport = change.reason !== 'live'
      if (isImport) imports += 1
      await deriveOnce(change).then(
        (counts) => waiters.forEach(({ resolve }, index) => resolve(index === 0 ? counts : { records: 0, steps: 0, errors: [] })),
        (error: unknown) => waiters.forEach(({ reject }) => reject(error)),
      )
      if (isImport) imports -= 1
    }
    running.delete(first.change.traceId)
    if (lastUpdatedAt.size > 1000) for (const [id, at] of lastUpdatedAt) if (core.now() - at > UPDATE_MS) lastUpdatedAt.delete(id)
  }

  return {
    /** Whether an import or a rebuild is running. */
    isBusy: () => imports > 0,
    /** Reads new sessions while capture archives them. */
    follower: () => ({ url: FOLLOW.href, options: currentAnalysers(null) }),
    /** Resolves when the rows are committed, with counts of what was new; rejects if they are still pending. */
    onArchived(change: ArchiveChange): Promise<DerivedCounts> {
      return new Promise((resolve, reject) => {
        const state = running.get(change.traceId)
        const done = { resolve, reject }
        if (!state) void deriveUntilCurrent({ change, waiters: [done] })
        else if (state.next) state.next = { change: mergeChanges(state.next.change, change), waiters: [...state.next.waiters, done] }
        else state.next = { change, waiters: [done] }
      })
    },
    async close() {
      stop.abort(new Closing())
      await writing
    },
  }
}

/** The merged change is live only if both are, so that the import publishes an import's rows. */
const mergeChanges = (first: ArchiveChange, second: ArchiveChange): ArchiveChange => ({
  ...second,
  isNew: first.isNew || second.isNew,
  bytes: first.bytes + second.bytes,
  reason: first.reason === 'live' ? second.reason : first.reason,
  jobId: first.jobId ?? second.jobId,
  followerResult: undefined, // it covers only one of the two changes
})

/** Files with only state of the client are no session. One that is damaged is shown, with its problems. */
const isWithoutConversation = (output: DeriveOutput): boolean =>
  output.complete && countOf(output) === 0 && output.trace.problemCount === 0 && !output.trace.hooksOnly

const factsText = (row: Parameters<typeof toTrace>[0]) => JSON.stringify(toTrace(row))
