import type { TranscriptItem } from '#contracts/entities/step.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import type { Database } from '#server/db/open.ts'
import type { EntryKind, EntryRow } from './derived.ts'
import page from './page.job.ts'
import { localId, toEntry, toTrace, TRACE_COLUMNS, traceDirOf } from './rows.ts'
import type { StoredEntry, TraceRow } from './rows.ts'

/** Items whose bodies are read from the archive at once. */
const ITEMS_PER_BATCH = 200

export interface WholeTrace {
  trace: Trace
  /** Raised by every write; passed back as `afterRev` to get only later changes. */
  rev: number
  /** In order, texts and outputs in full. */
  items: Iterable<TranscriptItem[]>
  /** Whether an entry is part of the session. */
  has(entryId: string): boolean
}

/**
 * A complete stored session, for jobs in workers: rows from the database, bodies from the archive. Null if there is no
 * such trace. `main` excludes the conversations of sub-agents; the call that started one still has its result. `kinds`
 * restricts the items to these kinds.
 */
export function readWhole(
  db: Database,
  archive: string,
  traceId: string,
  { afterRev = -1, main = false, kinds }: { afterRev?: number; main?: boolean; kinds?: readonly EntryKind[] } = {},
): WholeTrace | null {
  const row = db.prepare<[string], TraceRow>(`SELECT ${TRACE_COLUMNS} FROM traces AS t WHERE t.id = ?`).get(traceId)
  if (!row) return null
  const conditions = `${main ? "AND agent = 'main'" : ''} ${kinds ? 'AND kind IN (SELECT value FROM json_each(?))' : ''}`
  const selectNext = db.prepare<unknown[], StoredEntry>(
    `SELECT * FROM entries WHERE trace = ? AND rev <= ? AND rev > ? AND ord > ? ${conditions} ORDER BY ord LIMIT ?`,
  )
  const kindParams = kinds ? [JSON.stringify(kinds)] : []
  const findEntry = db.prepare<[number, string, number], { rev: number }>('SELECT rev FROM entries WHERE trace = ? AND id = ? AND rev <= ?')
  const has = (entryId: string) => findEntry.get(row.no, localId(traceId, entryId), row.rev) !== undefined
  function* items(): Generator<TranscriptItem[]> {
    for (let after = ''; ;) {
      const entries = selectNext
        .all(row!.no, row!.rev, afterRev, after, ...kindParams, ITEMS_PER_BATCH)
        .map((entry) => toEntry(traceId, entry))
      if (entries.length === 0) return
      yield page({
        traceDir: traceDirOf(archive, row!.agent, traceId),
        entries: entries.map((entry) => ({ row: entry })),
        untruncated: true,
      })
      after = entries.at(-1)!.ord
    }
  }
  return { trace: toTrace(row), rev: row.rev, items: items(), has }
}

/** The rows of a session's main conversation in order, without their bodies and without the archive. Null if there is no such trace. */
export function readOutline(db: Database, traceId: string): { trace: Trace; rev: number; entries: EntryRow[] } | null {
  const row = db.prepare<[string], TraceRow>(`SELECT ${TRACE_COLUMNS} FROM traces AS t WHERE t.id = ?`).get(traceId)
  if (!row) return null
  const entries = db
    .prepare<[number, number], StoredEntry>("SELECT * FROM entries WHERE trace = ? AND rev <= ? AND agent = 'main' ORDER BY ord")
    .all(row.no, row.rev)
  return { trace: toTrace(row), rev: row.rev, entries: entries.map((entry) => toEntry(traceId, entry)) }
}
