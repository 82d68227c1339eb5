import type { Agent } from '#contracts/entities/common.ts'
import type { Database } from '#server/db/open.ts'
import type { SourceState } from './archive/state.ts'
import type { SourceKind } from './types.ts'

/** An agent's file as it was last archived, to detect changes. */
export interface KnownFile {
  path: string
  traceId: string
  agent: Agent
  sessionId: string
  name: string
  kind: SourceKind
  bytes: number
  size: number | null
  mtimeMs: number | null
  inode: number | null
}

export interface IgnoredFile {
  path: string
  inode: number
  mtimeMs: number
  size: number
  why: string
}

export interface ArchivedTrace {
  traceId: string
  agent: Agent
  sessionId: string
  sample: boolean
}

export type CaptureStore = ReturnType<typeof createStore>

interface TraceRow {
  trace_id: string
  agent: Agent
  session_id: string
  sample: number
}

const toTrace = (row: TraceRow): ArchivedTrace => ({
  traceId: row.trace_id,
  agent: row.agent,
  sessionId: row.session_id,
  sample: row.sample === 1,
})

const SELECT_KNOWN = `
  SELECT s.original_path AS path, s.trace_id AS traceId, t.agent, t.session_id AS sessionId, s.name, s.kind, s.bytes, s.size,
    s.mtime_ms AS mtimeMs, s.inode, max(s.generation)
  FROM sources s JOIN archived_traces t USING (trace_id) WHERE s.kind <> 'hooks'`

export function createStore(db: Database) {
  const known = db.prepare<[], KnownFile>(`${SELECT_KNOWN} GROUP BY s.trace_id, s.name`)
  const knownOf = db.prepare<[string], KnownFile>(`${SELECT_KNOWN} AND s.trace_id = ? GROUP BY s.trace_id, s.name`)
  const ignored = db.prepare<[], IgnoredFile>('SELECT path, inode, mtime_ms AS mtimeMs, size, why FROM ignored_files')
  const ignore = db.prepare<[IgnoredFile]>('INSERT OR REPLACE INTO ignored_files VALUES (@path, @inode, @mtimeMs, @size, @why)')
  const putTrace = db.prepare<[string, string, string, number, number]>(`
    INSERT INTO archived_traces (trace_id, agent, session_id, sample, derived) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (trace_id) DO UPDATE SET derived = excluded.derived`)
  const putSource =
    db.prepare(`INSERT OR REPLACE INTO sources VALUES (@traceId, @name, @generation, @kind, @originalPath, @bytes, @packedBytes, @sha256, @archivedAt,
    @inode, @mtimeMs, @size)`)
  const setDerived = db.prepare<[string]>('UPDATE archived_traces SET derived = 1 WHERE trace_id = ?')
  const setAllPending = db.prepare('UPDATE archived_traces SET derived = 0')
  const pending = db.prepare<[], TraceRow>('SELECT * FROM archived_traces WHERE derived = 0')
  const pendingTrace = db.prepare<[string], { one: number }>('SELECT 1 AS one FROM archived_traces WHERE trace_id = ? AND derived = 0')
  const byId = db.prepare<[string], TraceRow>('SELECT * FROM archived_traces WHERE trace_id = ?')
  const samples = db.prepare<[], TraceRow>('SELECT * FROM archived_traces WHERE sample = 1')
  const hasMain = db.prepare<[string]>("SELECT 1 FROM sources WHERE trace_id = ? AND kind <> 'hooks' LIMIT 1")
  const sameSource = db.prepare<[string, string, number, number, string]>(
    'SELECT 1 FROM sources WHERE trace_id = ? AND name = ? AND generation = ? AND bytes = ? AND sha256 = ?',
  )
  const totals = db.prepare<[], { traces: number; bytes: number; rawBytes: number }>(`
    SELECT (SELECT count(*) FROM archived_traces) AS traces, coalesce(sum(packed_bytes), 0) AS bytes,
      coalesce(sum(bytes), 0) AS rawBytes FROM sources`)
  const sizes = db.prepare<[], { trace_id: string; bytes: number }>('SELECT trace_id, sum(bytes) AS bytes FROM sources GROUP BY trace_id')
  const dropSources = db.prepare<[string]>('DELETE FROM sources WHERE trace_id = ?')
  const dropTrace = db.prepare<[string]>('DELETE FROM archived_traces WHERE trace_id = ?')
  const dropClient = db.prepare<[string]>('DELETE FROM client_processes WHERE session_id = ?')
  const dropIgnored = db.prepare<[string]>('DELETE FROM ignored_files WHERE instr(path, ?) > 0')
  const dropFollowed = db.prepare<[string]>('DELETE FROM followed_files WHERE instr(path, ?) > 0')
  const follow = db.prepare<[string]>('INSERT OR IGNORE INTO followed_files VALUES (?)')
  const followed = db.prepare<[], string>('SELECT path FROM followed_files').pluck()
  const forget = db.prepare<[string, number]>('INSERT OR REPLACE INTO forgotten VALUES (?, ?)')
  const unforget = db.prepare<[string]>('DELETE FROM forgotten WHERE trace_id = ?')
  const forgotten = db.prepare<[], string>('SELECT trace_id FROM forgotten').pluck()

  const saveSource = (traceId: string, source: SourceState) => putSource.run({ ...source, traceId })

  return {
    knownFiles: () => known.all(),
    knownFilesOf: (traceId: string) => knownOf.all(traceId),
    /** Files outside the agents' own folders that were read on this machine. */
    followedFiles: () => followed.all(),
    follow: (file: string) => follow.run(file),
    ignoredFiles: () => ignored.all(),
    ignore: (file: IgnoredFile) => ignore.run(file),
    /** Saves the state of the archive; with `derived` false the trace is pending until `markDerived`. */
    save(trace: ArchivedTrace, sources: SourceState[], derived: boolean) {
      putTrace.run(trace.traceId, trace.agent, trace.sessionId, trace.sample ? 1 : 0, derived ? 1 : 0)
      for (const source of sources) saveSource(trace.traceId, source)
    },
    /** Only metadata of the agent's files changed, so no rows are pending. */
    saveSources(traceId: string, sources: SourceState[]) {
      for (const source of sources) saveSource(traceId, source)
    },
    markDerived: (traceId: string) => setDerived.run(traceId),
    /** Returns how many there are. */
    markAllPending: (): number => setAllPending.run().changes,
    pending: () => pending.all().map(toTrace),
    isPending: (traceId: string): boolean => pendingTrace.get(traceId) !== undefined,
    find(traceId: string): ArchivedTrace | null {
      const row = byId.get(traceId)
      return row ? toTrace(row) : null
    },
    samples: () => samples.all().map(toTrace),
    /** False if only hooks reported the session. */
    hasTranscript: (traceId: string) => hasMain.get(traceId) !== undefined,
    hasSource: (traceId: string, { name, generation, bytes, sha256 }: SourceState) =>
      sameSource.get(traceId, name, generation, bytes, sha256) !== undefined,
    totals: () => totals.get()!,
    /** Uncompressed bytes of each session. */
    sizes: () => new Map(sizes.all().map(({ trace_id, bytes }) => [trace_id, bytes])),
    remove(trace: ArchivedTrace) {
      dropSources.run(trace.traceId)
      dropTrace.run(trace.traceId)
      dropIgnored.run(trace.sessionId)
      dropFollowed.run(trace.sessionId)
      dropClient.run(trace.sessionId)
    },
    clear() {
      db.exec('DELETE FROM sources; DELETE FROM archived_traces;')
    },
    setForgotten: (traceId: string, at: number) => forget.run(traceId, at),
    unsetForgotten: (traceId: string) => unforget.run(traceId),
    forgottenIds: () => new Set(forgotten.all()),
    /** Overwrites the rows that `work` deletes with zeros. */
    withSecureDelete<T>(work: () => T): T {
      db.pragma('secure_delete = ON')
      try {
        return work()
      } finally {
        db.pragma('secure_delete = OFF')
      }
    },
    truncateLog: () => db.pragma('wal_checkpoint(TRUNCATE)'),
  }
}
