import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TraceState } from '#contracts/entities/trace.ts'
import type { Tx } from '#server/db/tx.ts'
import type { ArchiveChange } from '#server/stages/capture/types.ts'
import type { DeriveOutput, DerivedTrace } from './derived.ts'
import { type EntryValues, localId } from './rows.ts'
import { entrySlices, factsOf, responseSlices } from './slices.ts'
import type { TraceStore } from './store.ts'

export interface ReadyOutput {
  change: ArchiveChange
  output: DeriveOutput
  /** The version that an incremental output is based on. */
  since: string | null
}

export interface WriteResult {
  traceId: string
  no: number
  rev: number
  isNew: boolean
  /** Rows that are new, changed or deleted. */
  changedEntries: number
}

export interface WriteHooks {
  costOf: (derived: DerivedTrace) => number | null
  stateOf: (derived: DerivedTrace, change: ArchiveChange, lastCallUnanswered: boolean) => TraceState
  /** Runs in the last transaction, after the trace's row: scores, events. */
  afterTrace: (written: WriteResult, ready: ReadyOutput) => void
}

/** Writes one output in the caller's transaction. */
export function writeWhole(store: TraceStore, hooks: WriteHooks, ready: ReadyOutput): WriteResult {
  const rows = [...entrySlices(ready.output)].flat()
  return finish(store, hooks, ready, startOf(store, ready), { rows, pending: { entries: 0, bytes: 0 }, processedIds: null })
}

/**
 * Writes a long output in slices of about 5 ms, so that others are served in between. New entries have the next
 * revision, which is hidden until the last transaction raises the trace to it; existing entries
 * are compared in slices, and changed ones are written in that last transaction.
 */
export async function writeInSlices(store: TraceStore, tx: Tx, hooks: WriteHooks, ready: ReadyOutput): Promise<WriteResult> {
  const { output } = ready
  const start = startOf(store, ready)
  const visibleIds = start.isNew ? new Set<string>() : store.visibleIds(start.no, start.visibleRev)
  const changedRows: EntryValues[] = []
  const pending = { entries: 0, bytes: 0 }
  const processedIds = new Set<string>()
  for (const slice of entrySlices(output)) {
    tx(() => {
      if (start.isNew) return insertAll(store, start, slice, pending)
      for (const row of slice) {
        processedIds.add(row[0])
        if (visibleIds.has(row[0])) {
          if (!store.isSame(start.no, start.visibleRev, row)) changedRows.push(row)
        } else if (store.writeEntry(start.no, start.rev, start.visibleRev, row)) count(pending, row)
      }
    })
    await nextTurn()
  }
  if (start.isNew) {
    for (const slice of responseSlices(output)) {
      tx(() => store.writeResponses(start.no, slice))
      await nextTurn()
    }
  }
  return tx(() => finish(store, hooks, ready, start, { rows: changedRows, pending, processedIds }))
}

/** The work of the last transaction of an output. */
interface FinalWrite {
  rows: readonly EntryValues[]
  /** Already written. */
  pending: { entries: number; bytes: number }
  /** Ids of all rows if they, and the responses, were processed in slices; else null. */
  processedIds: ReadonlySet<string> | null
}

interface Start {
  no: number
  isNew: boolean
  visibleRev: number
  rev: number
}

function startOf(store: TraceStore, { output, since }: ReadyOutput): Start {
  const head = store.head(output.trace.traceId)
  if (!output.complete && (head?.derived_version ?? null) !== since) throw supersededError(output)
  const visibleRev = head?.rev ?? 0
  return { no: head?.no ?? store.reserveNo(), isNew: !head, visibleRev, rev: visibleRev + 1 }
}

/** The session stays pending, and the caller gets this error. */
const supersededError = (output: DeriveOutput) =>
  new Error(`The rows of session ${output.trace.sessionId} were deleted while being written; they are written again.`)

function finish(store: TraceStore, hooks: WriteHooks, ready: ReadyOutput, start: Start, finalWrite: FinalWrite): WriteResult {
  const { change, output } = ready
  const { trace } = output
  const { no, isNew, rev, visibleRev } = start
  if ((store.head(trace.traceId)?.rev ?? 0) !== visibleRev) throw supersededError(output)
  const pending = { ...finalWrite.pending }
  if (isNew) insertAll(store, start, finalWrite.rows, pending)
  else for (const row of finalWrite.rows) if (store.writeEntry(no, rev, visibleRev, row)) count(pending, row)
  let removed = 0
  for (const id of removedIds(store, no, output, isNew, finalWrite)) {
    store.removeEntry(no, id)
    removed += 1
  }
  if (output.complete && !isNew) store.removeResponses(no)
  if (!isNew || finalWrite.processedIds === null) for (const slice of responseSlices(output)) store.writeResponses(no, slice)
  const fromEntries = output.complete ? (output.packed?.facts ?? factsOf(output.entries)) : store.factsOf(no)
  store.writeTrace(no, isNew, rev, {
    derived: { ...trace, state: hooks.stateOf(trace, change, fromEntries.lastCallUnanswered) },
    version: output.version,
    sample: change.sample,
    costUsd: hooks.costOf(trace),
    longestFailureRun: fromEntries.longestFailureRun,
    exits: fromEntries.exits,
    pending,
  })
  const written = { traceId: trace.traceId, no, rev, isNew, changedEntries: pending.entries + removed }
  hooks.afterTrace(written, ready)
  return written
}

function removedIds(store: TraceStore, no: number, output: DeriveOutput, isNew: boolean, { rows, processedIds }: FinalWrite): string[] {
  const { traceId } = output.trace
  if (!output.complete) return output.removed.map((id) => localId(traceId, id))
  if (isNew) return []
  const currentIds = processedIds ?? new Set(rows.map(([id]) => id))
  return store.entryIds(no).filter((id) => !currentIds.has(id))
}

type Pending = FinalWrite['pending']

function insertAll(store: TraceStore, { no, rev }: Start, rows: readonly EntryValues[], pending: Pending): void {
  pending.entries += store.insertEntries(no, rev, rows)
  for (const [, bytes] of rows) pending.bytes += bytes
}

function count(pending: Pending, [, bytes]: EntryValues): void {
  pending.entries += 1
  pending.bytes += bytes
}
