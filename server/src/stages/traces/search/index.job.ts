import { openReadOnly } from '#server/db/open.ts'
import type { Database } from '#server/db/open.ts'
import { readManifest } from '#server/stages/capture/index.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { traceDirOf } from '../rows.ts'
import type { StoredEntry } from '../rows.ts'
import { piecesOf, textsOf } from './pieces.ts'
import { adoptEpoch, openSearch } from './schema.ts'
import { tokensOf } from './tokens.ts'

export interface IndexInput {
  database: string
  search: string
  archive: string
  epoch: string
  /** Start no further trace after this many ms, because the thread has other work. */
  budgetMs: number
  /** Recently failed sessions, which are retried later. */
  skip: number[]
}

/** Called after each commit. */
export interface IndexProgress {
  traces: { no: number; rev: number }[]
  removed: number[]
}

export interface IndexOutput {
  hasMore: boolean
  failed: { no: number; traceId: string; message: string }[]
}

const GONE_AT_A_TIME = 5000
const COMMIT_CHARS = 4_000_000
const ROWS_AT_A_TIME = 5000

let connections: { key: string; main: Database; search: Database } | null = null

function connect(input: IndexInput) {
  const key = `${input.database}\0${input.search}`
  if (connections?.key !== key) {
    connections?.main.close()
    connections?.search.close()
    connections = { key, main: openReadOnly(input.database), search: openSearch(input.search) }
  }
  return connections
}

/** Updates search.db from the main database, newest sessions first. The only writer of search.db. */
export default function index(input: IndexInput, { signal, progress }: JobContext): IndexOutput {
  const { main, search } = connect(input)
  adoptEpoch(search, input.epoch)
  const startedAt = performance.now()
  removeDeleted(main, search, progress)
  const pending = main
    .prepare<[string], { no: number; id: string; agent: string; rev: number }>(
      'SELECT no, id, agent, rev FROM traces WHERE index_pending > 0 AND no NOT IN (SELECT value FROM json_each(?)) ORDER BY ended_at DESC LIMIT 200',
    )
    .all(JSON.stringify(input.skip))
  const failed: IndexOutput['failed'] = []
  let attempted = 0
  for (const trace of pending) {
    if (signal.aborted || performance.now() - startedAt > input.budgetMs) break
    attempted += 1
    try {
      indexTrace(main, search, traceDirOf(input.archive, trace.agent, trace.id), trace, progress)
    } catch (error) {
      if (String((error as { code?: unknown }).code).startsWith('SQLITE_')) throw error // an error of the index, not of this session
      failed.push({ no: trace.no, traceId: trace.id, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return { hasMore: attempted < pending.length || pending.length === 200, failed }
}

function removeDeleted(main: Database, search: Database, progress: JobContext['progress']): void {
  const deleted = main.prepare<[number], { rowid: number }>('SELECT rowid FROM search_gone LIMIT ?').all(GONE_AT_A_TIME)
  if (deleted.length === 0) return
  const drop = search.prepare<[number]>('DELETE FROM docs WHERE rowid = ?')
  const dropPlace = search.prepare<[number]>('DELETE FROM places WHERE rowid = ?')
  search.transaction(() => {
    for (const { rowid } of deleted) {
      drop.run(rowid)
      dropPlace.run(rowid)
    }
  })()
  progress({ traces: [], removed: deleted.map(({ rowid }) => rowid) } satisfies IndexProgress)
}

type Row = Pick<StoredEntry, 'rowid' | 'kind' | 'location' | 'result'>

function indexTrace(
  main: Database,
  search: Database,
  traceDir: string,
  trace: { no: number; rev: number },
  progress: JobContext['progress'],
): void {
  const indexedRev = search.prepare<[number], { rev: number }>('SELECT rev FROM done WHERE trace = ?').get(trace.no)?.rev ?? 0
  const insertText = search.prepare<[number, string]>('INSERT OR REPLACE INTO docs (rowid, text) VALUES (?, ?)')
  const insertPlace = search.prepare<[number, number]>('INSERT OR REPLACE INTO places (rowid, trace) VALUES (?, ?)')
  const write = search.transaction((texts: { rowid: number; text: string }[], isLast: boolean) => {
    for (const { rowid, text } of texts) {
      insertText.run(rowid, tokensOf(text))
      insertPlace.run(rowid, trace.no)
    }
    if (isLast) search.prepare('INSERT OR REPLACE INTO done (trace, rev) VALUES (?, ?)').run(trace.no, trace.rev)
  })
  let batch: { rowid: number; text: string }[] = []
  let chars = 0
  let sources: ReturnType<typeof readManifest> | null = null
  for (const rows of rowsOf(main, trace, indexedRev)) {
    for (const text of textsOf((sources ??= readManifest(traceDir)), rows.flatMap(piecesOf))) {
      batch.push(text)
      chars += text.text.length
      if (chars < COMMIT_CHARS) continue
      write(batch, false)
      batch = []
      chars = 0
    }
  }
  write(batch, true)
  progress({ traces: [{ no: trace.no, rev: trace.rev }], removed: [] } satisfies IndexProgress)
}

/**
 * The entries of a trace that the index lacks, in the order of the transcript, so that a slice of a long session needs
 * one range of its archive.
 */
function* rowsOf(main: Database, { no, rev }: { no: number; rev: number }, from: number): Generator<Row[]> {
  const condition = 'trace = ? AND rev > ? AND rev <= ?'
  const ids = main.prepare<[number, number, number], number>(`SELECT rowid FROM entries WHERE ${condition}`).pluck().all(no, from, rev)
  ids.sort((a, b) => a - b)
  const slice = main.prepare<[number, number, number, number, number], Row>(
    `SELECT rowid, kind, location, result FROM entries WHERE rowid BETWEEN ? AND ? AND +${condition}`, // + : by rowid, not by trace
  )
  for (let at = 0; at < ids.length; at += ROWS_AT_A_TIME)
    yield slice.all(ids[at]!, ids[Math.min(at + ROWS_AT_A_TIME, ids.length) - 1]!, no, from, rev)
}
