import type { Agent } from '#contracts/entities/common.ts'
import type { Follower, SourceKind } from '../types.ts'
import type { SourceState } from './state.ts'

/** A client file, or lines that exist nowhere else (`bytes`), to be archived as one source of a trace. */
export interface AppendFile {
  path: string
  name: string
  kind: SourceKind
  bytes?: Uint8Array
  /** The client's file holds these lines in another form: as rows of a database, or compressed. */
  form?: 'database' | 'zstd'
  /** Hold what is archived of it against its manifest first; where that is damaged the next generation begins. */
  check?: boolean
}

export interface AppendTrace {
  traceDir: string
  traceId: string
  agent: Agent
  sessionId: string
  sample: boolean
  files: AppendFile[]
}

export interface AppendError {
  path: string
  code: string
  message: string
}

export interface AppendResult {
  traceId: string
  isNew: boolean
  /** Raw bytes added over all files. */
  added: number
  /** The sources that were looked at, in their state after the call. */
  sources: SourceState[]
  errors: AppendError[]
  /** What was found broken in this trace's folder and put right, a sentence each. */
  repaired: string[]
  /** Set when nothing of this trace was kept: the disk is full, or the work was cancelled. */
  failed: AppendError | null
  /** Of a new trace, what its follower made of it. */
  followed?: unknown
}

export interface AppendOptions {
  signal?: AbortSignal
  now?: () => number
  onBytes?: (bytes: number) => void
  /** Memory of a worker thread: traces that it appended to lately, so that growth costs the new bytes only. */
  memory?: Map<string, unknown>
  /** Makes a follower for each new trace. */
  follow?: (trace: AppendTrace) => Follower
  /** Filled with buffers of what followers made. */
  transfer?: ArrayBuffer[]
}
