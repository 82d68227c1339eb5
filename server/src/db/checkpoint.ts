import fs from 'node:fs'
import type { Database } from './open.ts'

/** For a worker thread: `{ database }`. */
export const CHECKPOINT_JOB = new URL('./checkpoint.job.ts', import.meta.url)

/** Pages (4 KB) of the write-ahead log that wait to be moved when a worker thread is asked to: 16 MB. */
const BEGIN_PAGES = 4096
/** Length from which writing waits for it, so that the log can start again: 64 MB. */
const MAX_PAGES = 16_384

/**
 * A checkpoint syncs the disk, which the main thread must not wait for. Code that writes much calls this after each commit;
 * `run` does the work in a worker thread. Resolves at once unless the log has become too long.
 */
export function createCheckpoints(db: Database, run: () => Promise<void>): () => Promise<void> {
  const log = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
  let running: Promise<void> | null = null
  return async () => {
    const { log: pages, checkpointed } = log.get()!
    if (pages - checkpointed > BEGIN_PAGES) running ??= run().finally(() => (running = null))
    if (pages > MAX_PAGES) await running
  }
}

/** Length from which a log file is emptied while the process runs: 4 MB. */
const LONG_BYTES = 4 << 20
const TRIM_MS = 30_000

/** Empties the write-ahead logs of these databases from time to time: SQLite reuses such a file, but never shortens it before the end. */
export function keepLogsShort(databases: readonly string[], empty: (database: string) => Promise<void>, everyMs = TRIM_MS): () => void {
  let running = false
  const trim = async () => {
    if (running) return
    running = true
    try {
      for (const database of databases) {
        const size = await fs.promises.stat(`${database}-wal`).then(
          (stat) => stat.size,
          () => 0, // there is none
        )
        if (size > LONG_BYTES) await empty(database)
      }
    } finally {
      running = false
    }
  }
  const timer = setInterval(() => void trim(), everyMs).unref()
  return () => clearInterval(timer)
}
