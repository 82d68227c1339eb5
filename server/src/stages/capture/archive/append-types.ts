import type { Agent } from '#contracts/entities/common.ts'
import type { Follower, SourceKind } from '../types.ts'
import type { SourceState } from './state.ts'

/** A file of an agent, or lines that exist nowhere else (`bytes`), to archive as one source of a trace. */
export interface AppendFile {
  path: string
  name: string
  kind: SourceKind
  bytes?: Uint8Array
  /** The agent stores these lines in another form: as rows of a database, or compressed. */
  form?: 'database' | 'zstd'
  /** First check the archived source against its manifest; if it is damaged, start a new generation. */
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
  /** The sources examined, in their state after the call. */
  sources: SourceState[]
  errors: AppendError[]
  /** Repairs in this trace's folder, one sentence each. */
  repaired: string[]
  /** Set if nothing of this trace was stored: the disk is full, or the work was cancelled. */
  failed: AppendError | null
  /** The result of the follower of a new trace. */
  followed?: unknown
}

export interface AppendOptions {
  signal?: AbortSignal
  now?: () => number
  onBytes?: (bytes: number) => void
  /** Cache of a worker thread: recently appended traces, so that growth costs only the new bytes. */
  memory?: Map<string, unknown>
  /** Makes a follower for each new trace. */
  follow?: (trace: AppendTrace) => Follower
  /** Filled with buffers from followers. */
  transfer?: ArrayBuffer[]
}
