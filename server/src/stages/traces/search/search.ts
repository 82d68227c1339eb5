import type { CaptureStatus } from '#contracts/entities/capture.ts'
import { Closing } from '#server/jobs/stops.ts'
import type { Core } from '#server/core.ts'
import type { IndexInput, IndexOutput, IndexProgress } from './index.job.ts'
import { prepareSearch } from './schema.ts'

const INDEX_JOB = new URL('./index.job.ts', import.meta.url)
/** Changes of a live session are collected for this long before indexing. */
const COLLECT_MS = 200
/** Duration of one indexing run; the thread serves other jobs between runs. */
const RUN_MS = 400
const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 30 * 60_000
const RETRY_HINT = 'Bash Gym retries this. If it keeps happening, run `bashgym verify`.'

export type Search = ReturnType<typeof createSearch>

/**
 * Keeps search.db up to date: starts the indexer if there is something to do, one run after another. While many
 * sessions are being imported (`isBusy`) it waits, to leave threads and disk to them.
 */
export function createSearch(core: Core, isBusy: () => boolean) {
  const { db, events, workers, paths, tx, log } = core
  const clearPending = db.prepare<[number, number]>('UPDATE traces SET index_pending = 0, index_pending_bytes = 0 WHERE no = ? AND rev = ?')
  const deleteGone = db.prepare<[number]>('DELETE FROM search_gone WHERE rowid = ?')
  const pending = db.prepare<[], { entries: number; bytes: number }>(
    'SELECT coalesce(sum(index_pending), 0) AS entries, coalesce(sum(index_pending_bytes), 0) AS bytes FROM traces WHERE index_pending > 0',
  )
  const findGone = db.prepare<[], { one: number }>('SELECT 1 AS one FROM search_gone LIMIT 1')
  const stop = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let currentRun: Promise<void> | null = null
  let isRerunNeeded = false

  /** Sessions that could not be indexed, by number: skipped until the next retry. */
  const failed = new Map<number, { traceId: string; message: string }>()
  let indexError: string | null = null
  let retry: NodeJS.Timeout | null = null
  let retryMs = FIRST_RETRY_MS

  let isPrepared = false
  const prepare = () => {
    if (isPrepared) return
    prepareSearch(paths.search, events.epoch, () => requeueAll(core))
    isPrepared = true
  }
  try {
    prepare()
  } catch (error) {
    if (!core.disk.reportIfFull(error)) throw error
  }

  const onProgress = (value: unknown) => {
    const { traces, removed } = value as IndexProgress
    tx(() => {
      for (const { no, rev } of traces) clearPending.run(no, rev)
      for (const rowid of removed) deleteGone.run(rowid)
    })
  }

  const indexOnce = () =>
    workers.run<IndexOutput>(
      INDEX_JOB,
      {
        database: paths.database,
        search: paths.search,
        archive: paths.archive,
        epoch: events.epoch,
        budgetMs: RUN_MS,
        skip: [...failed.keys()],
      } satisfies IndexInput,
      { lane: 'bulk', key: 'search', signal: stop.signal, onProgress },
    )

  const run = async () => {
    prepare()
    do {
      isRerunNeeded = false
      const result = await indexOnce()
      indexError = null
      for (const { no, ...failure } of result.failed) {
        failed.set(no, failure)
        log.warn(failure, "couldn't index a session for search")
      }
      if (result.hasMore) isRerunNeeded = true
      if (isRerunNeeded && isBusy()) return wake()
    } while (isRerunNeeded && !stop.signal.aborted)
  }

  const start = (): Promise<void> => {
    if (currentRun) {
      isRerunNeeded = true
      return currentRun
    }
    currentRun = run()
      .catch((error: unknown) => {
        if (stop.signal.aborted || core.disk.reportIfFull(error)) return
        indexError = error instanceof Error ? error.message : String(error)
        log.error({ err: error }, "couldn't update the search index")
      })
      .finally(() => {
        currentRun = null
        if (indexError === null && failed.size === 0) retryMs = FIRST_RETRY_MS
        else retryLater()
      })
    return currentRun
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
  const stopListening = core.disk.onChange((isFull) => {
    if (!isFull) wake()
  })

  const wake = (): void => {
    if (stop.signal.aborted || timer) return
    timer = setTimeout(() => {
      timer = null
      if (isBusy()) wake()
      else void start()
    }, COLLECT_MS).unref()
  }

  return {
    /** Signals that there may be something to index. */
    wake,
    /** Indexes now; resolves when nothing is left. */
    finishIndexing: start,
    /** What is not indexed yet; null if up to date. */
    status: (): CaptureStatus['indexing'] => {
      const { entries, bytes } = pending.get()!
      return entries === 0 ? null : { pendingBytes: bytes, pendingEntries: entries }
    },
    problems: (): CaptureStatus['problems'] => {
      if (indexError !== null)
        return [{ kind: 'search-index', message: `Couldn't update the search index: ${indexError}`, hint: RETRY_HINT }]
      const [first] = failed.values()
      if (!first) return []
      const more = failed.size === 1 ? '' : ` and ${failed.size - 1} more`
      return [
        {
          kind: 'search-index',
          message: `Couldn't index the text of session ${first.traceId}${more} for search: ${first.message}`,
          hint: RETRY_HINT,
        },
      ]
    },
    hasWork: () => pending.get()!.entries > 0 || findGone.get() !== undefined,
    async close(): Promise<void> {
      stop.abort(new Closing())
      stopListening()
      if (timer) clearTimeout(timer)
      if (retry) clearTimeout(retry)
      await currentRun
    },
  }
}

/** Marks every entry as pending, because search.db is empty: it is new, was damaged, or had other tokens. */
function requeueAll({ db, tx }: Core): void {
  tx(() =>
    db.exec(`UPDATE traces SET
      index_pending = (SELECT count(*) FROM entries e WHERE e.trace = traces.no),
      index_pending_bytes = coalesce((SELECT sum(min(e.output_bytes, 65536) + min(e.location ->> 3, 65536)) FROM entries e WHERE e.trace = traces.no), 0)`),
  )
}
