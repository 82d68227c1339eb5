import fs from 'node:fs'
import type { Database } from './open.ts'

/** Job of a worker thread; its input is `{ database }`. */
export const CHECKPOINT_JOB = new URL('./checkpoint.job.ts', import.meta.url)

/** A checkpoint starts when this many pages (of 4 KB) are not moved yet: 16 MB. */
const BEGIN_PAGES = 4096
/** Writing waits for the checkpoint when the log has this many pages: 64 MB. */
const MAX_PAGES = 16_384

/**
 * A checkpoint syncs the disk, which would block the main thread, so `run` does it in a worker thread. Code that writes
 * much calls the returned function after each commit. It resolves at once unless the log is too long.
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

/** Log files longer than this are emptied while the process runs: 4 MB. */
const LONG_BYTES = 4 << 20
const TRIM_MS = 30_000

/** Empties the write-ahead logs of these databases regularly, because SQLite does not shorten them while a database is open. */
export function keepLogsShort(databases: readonly string[], empty: (database: string) => Promise<void>, everyMs = TRIM_MS): () => void {
  let running = false
  const trim = async () => {
    if (running) return
    running = true
    try {
      for (const database of databases) {
        const size = await fs.promises.stat(`${database}-wal`).then(
          (stat) => stat.size,
          () => 0, // no log file
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
