import type { SourceKind } from '../../capture/types.ts'
import type { DerivedTrace, DeriveOutput, EntryRow, ResponseRow } from '../derived.ts'
import type { Analyser } from '../types.ts'

/** One generation of one archived file of a session. */
export interface ReaderSource {
  name: string
  kind: SourceKind
  generation: number
  originalPath: string
}

export interface ReaderAnalyser {
  analyser: Analyser
  options: unknown
}

/** Takes rows as they are made, so that those of a long session are never there all at once. */
export interface RowSink {
  entry(row: EntryRow): void
  response(row: ResponseRow): void
}

export interface OutputHow {
  /** Where rows go, one by one, in place of the output's own lists. */
  rows?: RowSink
  /** The reader is not asked again: nothing is remembered for the next output. */
  isLast?: boolean
}

/**
 * Turns the archived bytes of one session into rows. Fed a source at a time, in any pieces; the rows depend on the
 * bytes alone, never on how they were cut or in which order the sources came.
 */
export interface Reader {
  /** `offset` must be where the last piece of this source ended: bytes before it are ignored, a gap is an error. */
  feed(source: ReaderSource, offset: number, bytes: Buffer): void
  /** A file whose body is read only on demand (`tool-result`): that it exists, and how long it is. */
  note(source: ReaderSource, bytes: number): void
  /** Bytes of a source taken in so far, unfinished last line included. */
  position(source: Pick<ReaderSource, 'name' | 'generation'>): number
  /** Rows; only what changed when `since` is the version of the last output. */
  output(since: string | null, how?: OutputHow): DeriveOutput
  /** How much is held in memory, in entries. */
  readonly size: number
}

export type { DerivedTrace, DeriveOutput, EntryRow, ResponseRow }
