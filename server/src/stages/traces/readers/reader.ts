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

/** Receives rows as they are made, so that a long session is never in memory as a whole. */
export interface RowSink {
  entry(row: EntryRow): void
  response(row: ResponseRow): void
}

export interface OutputOptions {
  /** Receives the rows one by one, instead of the output's lists. */
  rows?: RowSink
  /** True for the last output, after which the reader needs to remember nothing. */
  isLast?: boolean
}

/**
 * Turns the archived bytes of one session into rows. Fed one source at a time, in any pieces; the rows depend only on the
 * bytes, never on the pieces or the order of sources.
 */
export interface Reader {
  /** `offset` must be where the last piece of this source ended: earlier bytes are ignored, a gap is an error. */
  feed(source: ReaderSource, offset: number, bytes: Buffer): void
  /** Records the existence and length of a file whose body is read only on demand (`tool-result`). */
  noteFile(source: ReaderSource, bytes: number): void
  /** Bytes of a source read so far, including an incomplete last line. */
  position(source: Pick<ReaderSource, 'name' | 'generation'>): number
  /** Rows; only what changed when `since` is the version of the last output. */
  output(since: string | null, options?: OutputOptions): DeriveOutput
  /** Size in memory, in entries. */
  readonly size: number
}

export type { DerivedTrace, DeriveOutput, EntryRow, ResponseRow }
