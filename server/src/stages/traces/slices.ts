import { deserialize, serialize } from 'node:v8'
import type { DeriveOutput, EntryFacts, EntryRow } from './derived.ts'

/** Rows of one transaction: about 10 ms of the main thread. */
export const SLICE = 500

export const isLong = (output: DeriveOutput): boolean =>
  output.packed !== undefined || output.entries.length + output.responses.length > SLICE

/** A long output for the way to another thread: unpacked a slice at a time, it never stands still for all of its rows. */
export function packLong(output: DeriveOutput): DeriveOutput {
  if (!isLong(output)) return output
  const facts = factsOf(output.entries)
  const packed = { entries: packSlices(output.entries), responses: packSlices(output.responses), facts }
  return { ...output, entries: [], responses: [], packed }
}

export function entrySlices({ entries, packed }: DeriveOutput): Iterable<DeriveOutput['entries']> {
  return packed ? unpackSlices(packed.entries) : slicesOf(entries)
}

export function responseSlices({ responses, packed }: DeriveOutput): Iterable<DeriveOutput['responses']> {
  return packed ? unpackSlices(packed.responses) : slicesOf(responses)
}

/** `rows` is emptied. */
function packSlices(rows: unknown[]): Uint8Array[] {
  const packed: Uint8Array[] = []
  while (rows.length > 0) packed.push(serialize(rows.splice(-SLICE)))
  return packed.toReversed()
}

function* unpackSlices<T>(packed: Uint8Array[]): Generator<T[]> {
  for (let index = 0; index < packed.length; index += 1) {
    yield deserialize(packed[index]!) as T[] // what packSlices made of it
    packed[index] = NOTHING
  }
}
const NOTHING = new Uint8Array()

function* slicesOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let index = 0; index < rows.length; index += SLICE) yield rows.slice(index, index + SLICE)
}

/**
 * Figures over the calls of a trace, in their order. A failure run is of one conversation; a call without a known
 * outcome neither counts nor ends it.
 */
export function factsOf(
  entries: Iterable<Pick<EntryRow, 'kind' | 'ord' | 'agent' | 'success' | 'exitCode' | 'answered' | 'rejectedBy'>>,
): EntryFacts {
  const runs = new Map<string, number>()
  const exits = new Map<number, number>()
  let longestFailureRun = 0
  let last: { ord: string; open: boolean } | null = null
  for (const entry of entries) {
    if (entry.kind !== 'call') continue
    if (entry.exitCode !== null) exits.set(entry.exitCode, (exits.get(entry.exitCode) ?? 0) + 1)
    if (last === null || entry.ord > last.ord) last = { ord: entry.ord, open: !entry.answered && entry.rejectedBy === null }
    if (entry.success === null) continue
    const run = entry.success ? 0 : (runs.get(entry.agent) ?? 0) + 1
    runs.set(entry.agent, run)
    longestFailureRun = Math.max(longestFailureRun, run)
  }
  return { longestFailureRun, lastCallUnanswered: last?.open ?? false, exits }
}
