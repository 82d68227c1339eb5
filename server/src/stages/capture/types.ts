import type { Agent } from '#contracts/entities/common.ts'

export type SourceKind = 'main' | 'subagent' | 'meta' | 'tool-result' | 'hooks'

/** One frame of a source: independent zstd, `offset`/`length` in raw bytes, `at`/`size` in the .zst file. */
export interface Frame {
  offset: number
  length: number
  at: number
  size: number
}

/**
 * A source in the archive: the bytes of one client file (one generation of it), or the stored hook payloads.
 * `name` is unique in the trace: `main-<8 hex of sha256(original path)>`, `agent-<agentId>`, `meta-<agentId>`,
 * `tool-result-<id>`, `hooks`.
 */
export interface ArchivedSource {
  traceDir: string
  name: string
  kind: SourceKind
  agent: Agent
  sessionId: string
  originalPath: string
  generation: number
  /** Raw bytes archived so far, and their sha256. */
  bytes: number
  sha256: string
  archivedAt: string
  frames: Frame[]
}

/** New bytes of a session that are archived and committed. */
export interface ArchiveChange {
  traceId: string
  agent: Agent
  sessionId: string
  sample: boolean
  /** The session's folder in the archive. */
  traceDir: string
  /** True when this trace was not in the archive before. */
  isNew: boolean
  /** Raw bytes added by this change, over all sources. */
  bytes: number
  reason: 'import' | 'live' | 'samples' | 'rebuild'
  /** The job that requested it, null for watching. */
  jobId: string | null
  /** The result of a follower, if there was one. */
  followerResult?: unknown
}

/** A file that is archived for the first time, as its follower gets it. */
export type FollowedSource = Pick<ArchivedSource, 'name' | 'kind' | 'generation' | 'originalPath'>

/** Reads the bytes of one new session in the thread that archives them, so that they need not be unpacked from the archive. */
export interface Follower {
  /** The bytes of each source from the start; only valid during the call. */
  feed(source: FollowedSource, offset: number, bytes: Buffer): void
  /** Plain data for `onArchived`, once the session is safe. Buffers named in `transfer` are moved, not copied. */
  result(transfer: ArrayBuffer[]): unknown
}

/** Default export of a module that creates followers; the thread gets the module's URL. */
export type FollowerMaker<Options> = (
  options: Options,
) => Promise<(session: { traceId: string; agent: Agent; sessionId: string }) => Follower>

/** The result of deriving rows from a change; counts only what is new. */
export interface DerivedCounts {
  records: number
  steps: number
  errors: { file: string; line: number | null; message: string }[]
}

/** An event from a hook about a session (its payload is archived separately). */
export interface SessionSignal {
  traceId: string
  sessionId: string
  event: string
  at: number
  payload: { reason?: string; notificationType?: string; message?: string; agentId?: string }
}
