import type { CaptureStatus } from '#contracts/entities/capture.ts'
import type { Core } from '#server/core.ts'
import type { IndexInput, IndexOutput, IndexProgress } from './index.job.ts'
import { prepareSearch } from './schema.ts'

const INDEX_JOB = new URL('./index.job.ts', import.meta.url)
/** Changes of a live session are collected briefly before indexing. */
const SOON_MS = 200
/** Duration of one indexing run; between runs the thread serves others. */
const TURN_MS = 400
const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 30 * 60_000
const RETRIED = 'Bash Gym retries this. If it keeps happening, run `bashgym verify`.'

export type Search = ReturnType<typeof createSearch>

/**
 * Keeps search.db up to date: starts the indexer if there is something to do, one run after another. While many
 * sessions are being imported (`isBusy`) it waits, to leave threads and disk to them.
 */
export function createSearch(core: Core, isBusy: () => boolean, onStatus: () => void = () => undefined) {
  const { db, events, workers, paths, tx, log } = core
  const marked = db.prepare<[number, number]>('UPDATE traces SET index_pending = 0, index_pending_bytes = 0 WHERE no = ? AND rev = ?')
  const goneDone = db.prepare<[number]>('DELETE FROM search_gone WHERE rowid = ?')
  const pending = db.prepare<[], { entries: number; bytes: number }>(
    'SELECT coalesce(sum(index_pending), 0) AS entries, coalesce(sum(index_pending_bytes), 0) AS bytes FROM traces WHERE index_pending > 0',
  )
  const anyGone = db.prepare<[], { one: number }>('SELECT 1 AS one FROM search_gone LIMIT 1')
  const stop = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let turn: Promise<void> | null = null
  let again = false

  /** Sessions that could not be indexed, by number: skipped until the next retry. */
  const failed = new Map<number, { traceId: string; message: string }>()
  let fault: string | null = null
  let retry: NodeJS.Timeout | null = null
  let retryMs = FIRST_RETRY_MS

  let isPrepared = false
  const prepare = () => {
    if (isPrepared) return
    if (prepareSearch(paths.search, events.epoch)) requeueAll(core)
    isPrepared = true
  }
  try {
    prepare()
  } catch (error) {
    if (!core.disk.note(error)) throw error
  }

  const onProgress = (value: unknown) => {
    const { traces, gone } = value as IndexProgress
    tx(() => {
      for (const { no, rev } of traces) marked.run(no, rev)
      for (const rowid of gone) goneDone.run(rowid)
    })
  }

  const oneTurn = () =>
    workers.run<IndexOutput>(
      INDEX_JOB,
      {
        database: paths.database,
        search: paths.search,
        archive: paths.archive,
        epoch: events.epoch,
        budgetMs: TURN_MS,
        skip: [...failed.keys()],
      } satisfies IndexInput,
      { lane: 'bulk', key: 'search', signal: stop.signal, onProgress },
    )

  const run = async () => {
    prepare()
    do {
      again = false
      const turned = await oneTurn()
      fault = null
      for (const { no, ...one } of turned.failed) {
        failed.set(no, one)
        log.warn(one, "couldn't index a session for search")
      }
      if (turned.more) again = true
      if (again && isBusy()) return wake()
    } while (again && !stop.signal.aborted)
  }

  const start = (): Promise<void> => {
    if (turn) {
      again = true
      return turn
    }
    turn = run()
      .catch((error: unknown) => {
        if (stop.signal.aborted || core.disk.note(error)) return
        fault = error instanceof Error ? error.message : String(error)
        log.error({ err: error }, "couldn't update the search index")
      })
      .finally(() => {
        turn = null
        if (fault === null && failed.size === 0) retryMs = FIRST_RETRY_MS
        else retryLater()
        onStatus()
      })
    return turn
  }

  /** Failures are retried with increasing delays. */
  const retryLater = () => {
    if (retry || stop.signal.aborted) return
    retry = setTimeout(() => {
      retry = null
      failed.clear()
      wake()
    }, retryMs).unref()
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
  }
  const unlisten = core.disk.onChange((isFull) => {
    if (!isFull) wake()
  })

  const wake = (): void => {
    if (stop.signal.aborted || timer) return
    timer = setTimeout(() => {
      timer = null
      if (isBusy()) wake()
      else void start()
    }, SOON_MS).unref()
  }

  return {
    /** Signals that there may be something to index. */
    wake,
    /** Indexes now; resolves when nothing is left. */
    settle: start,
    /** What is not indexed yet; null if up to date. */
    status: (): CaptureStatus['indexing'] => {
      const { entries, bytes } = pending.get()!
      return entries === 0 ? null : { pendingBytes: bytes, pendingEntries: entries }
    },
    problems: (): CaptureStatus['problems'] => {
      if (fault !== null) return [{ kind: 'search-index', message: `Couldn't update the search index: ${fault}`, hint: RETRIED }]
      const [first] = failed.values()
      if (!first) return []
      const more = failed.size === 1 ? '' : ` and ${failed.size - 1} more`
      return [
        {
          kind: 'search-index',
          message: `Couldn't index the text of session ${first.traceId}${more} for search: ${first.message}`,
          hint: RETRIED,
        },
      ]
    },
    hasWork: () => pending.get()!.entries > 0 || anyGone.get() !== undefined,
    async close(): Promise<void> {
      stop.abort(new DOMException('The server is stopping.', 'AbortError'))
      unlisten()
      if (timer) clearTimeout(timer)
      if (retry) clearTimeout(retry)
      await turn
    },
  }
}

/** search.db is empty (new or damaged): every entry is pending again. */
function requeueAll({ db, tx }: Core): void {
  tx(() =>
    db.exec(`UPDATE traces SET
      index_pending = (SELECT count(*) FROM entries e WHERE e.trace = traces.no),
      index_pending_bytes = coalesce((SELECT sum(min(e.output_bytes, 65536) + min(e.location ->> 3, 65536)) FROM entries e WHERE e.trace = traces.no), 0)`),
  )
}
