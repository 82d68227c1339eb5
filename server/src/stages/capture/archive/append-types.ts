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
  /** Raw bytes added, summed over all files. */
  added: number
  /** The sources examined, in their state after the call. */
  sources: SourceState[]
  errors: AppendError[]
  /** Repairs in this trace's folder, one sentence each. */
  repaired: string[]
  /** Why nothing of this trace was stored, such as a full disk or a cancellation. */
  failed: AppendError | null
  /** The result of the follower of a new trace. */
  followerResult?: unknown
}

export interface AppendOptions {
  signal?: AbortSignal
  now?: () => number
  onBytes?: (bytes: number) => void
  /** A worker thread's cache of recently appended traces, so that only the new bytes of a grown session are read. */
  cache?: Map<string, unknown>
  /** Creates a follower for each new trace. */
  follow?: (trace: AppendTrace) => Follower
  /** Followers add the buffers of their results, which are then moved to the other thread instead of copied. */
  transfer?: ArrayBuffer[]
}
