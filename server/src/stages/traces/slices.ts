import { deserialize, serialize } from 'node:v8'
import { free } from '#server/workers/free.ts'
import type { DeriveOutput, EntryFacts, EntryRow, PackedRows, ResponseRow } from './derived.ts'
import type { RowSink } from './readers/reader.ts'
import { type EntryValues, entryValues, type ResponseValues, responseValues } from './rows.ts'

/** Rows of one transaction: about 5 ms of the main thread, which serves requests in between. */
export const SLICE = 200

export const countOf = ({ entries, responses, packed }: DeriveOutput): number => packed?.count ?? entries.length + responses.length

export const isLong = (output: DeriveOutput): boolean => countOf(output) > SLICE

/**
 * Rows in transfer to the main thread, in the form of the tables: each slice is one buffer, transferred
 * without a copy and unpacked only when written.
 */
export class RowPacker implements RowSink {
  readonly #traceId: string
  readonly #facts = new CallFacts()
  readonly #entries = new Slices<EntryValues>()
  readonly #responses = new Slices<ResponseValues>()

  constructor(traceId: string) {
    this.#traceId = traceId
  }

  entry(row: EntryRow): void {
    this.#facts.add(row)
    this.#entries.add(entryValues(this.#traceId, row))
  }

  response(row: ResponseRow): void {
    this.#responses.add(responseValues(row))
  }

  /** All rows; the buffers are added to `transfer`. */
  finish(transfer: ArrayBuffer[]): PackedRows {
    const entries = this.#entries.finish(transfer)
    const responses = this.#responses.finish(transfer)
    return { entries, responses, count: this.#entries.count + this.#responses.count, facts: this.#facts.result() }
  }
}

class Slices<T> {
  count = 0
  #rows: T[] = []
  readonly #packed: Uint8Array[] = []

  add(row: T): void {
    this.count += 1
    if (this.#rows.push(row) === SLICE) this.#pack()
  }

  finish(transfer: ArrayBuffer[]): Uint8Array[] {
    if (this.#rows.length > 0) this.#pack()
    for (const { buffer } of this.#packed) transfer.push(buffer as ArrayBuffer) // none is a SharedArrayBuffer
    return this.#packed
  }

  #pack(): void {
    const packed = serialize(this.#rows) // the buffer may be up to twice as large
    this.#packed.push(new Uint8Array(packed))
    free(packed)
    this.#rows = []
  }
}

export function entrySlices(output: DeriveOutput): Iterable<EntryValues[]> {
  const { trace, entries, packed } = output
  return packed ? unpackSlices(packed.entries, isLong(output)) : slicesOf(entries, (row) => entryValues(trace.traceId, row))
}

export function responseSlices(output: DeriveOutput): Iterable<ResponseValues[]> {
  const { responses, packed } = output
  return packed ? unpackSlices(packed.responses, isLong(output)) : slicesOf(responses, responseValues)
}

/** With `release`, each slice is freed after reading. A short output keeps them, because it is written again if its transaction fails. */
function* unpackSlices<T>(packed: Uint8Array[], release: boolean): Generator<T[]> {
  for (let index = 0; index < packed.length; index += 1) {
    yield deserialize(packed[index]!) as T[] // made by Slices
    if (release) packed[index] = EMPTY
  }
}
const EMPTY = new Uint8Array()

function* slicesOf<T, V>(rows: readonly T[], valuesOf: (row: T) => V): Generator<V[]> {
  for (let index = 0; index < rows.length; index += SLICE) yield rows.slice(index, index + SLICE).map(valuesOf)
}

type CallFact = Pick<EntryRow, 'kind' | 'ord' | 'agent' | 'success' | 'exitCode' | 'answered' | 'rejectedBy'>

/**
 * Facts about the calls of a trace, in order. A failure run is in one conversation; a call without a known
 * outcome neither counts nor ends it.
 */
export function factsOf(entries: Iterable<CallFact>): EntryFacts {
  const facts = new CallFacts()
  for (const entry of entries) facts.add(entry)
  return facts.result()
}

class CallFacts {
  readonly #runs = new Map<string, number>()
  readonly #exits = new Map<number, number>()
  #longestFailureRun = 0
  #last: { ord: string; open: boolean } | null = null

  add({ kind, ord, agent, success, exitCode, answered, rejectedBy }: CallFact): void {
    if (kind !== 'call') return
    if (exitCode !== null) this.#exits.set(exitCode, (this.#exits.get(exitCode) ?? 0) + 1)
    if (this.#last === null || ord > this.#last.ord) this.#last = { ord, open: !answered && rejectedBy === null }
    if (success === null) return
    const run = success ? 0 : (this.#runs.get(agent) ?? 0) + 1
    this.#runs.set(agent, run)
    this.#longestFailureRun = Math.max(this.#longestFailureRun, run)
  }

  result(): EntryFacts {
    return { longestFailureRun: this.#longestFailureRun, lastCallUnanswered: this.#last?.open ?? false, exits: this.#exits }
  }
}
