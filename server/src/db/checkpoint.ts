import type { Database } from './open.ts'

/** For a worker thread: `{ database }`. */
export const CHECKPOINT_JOB = new URL('./checkpoint.job.ts', import.meta.url)

/** Pages (4 KB) of the write-ahead log that wait to be moved when a worker thread is asked to: 16 MB. */
const BEGIN_PAGES = 4096
/** Length from which writing waits for it, so that the log can begin anew: 64 MB. */
const MOST_PAGES = 16_384

/**
 * A checkpoint syncs the disk, which the main thread must not wait for. Who writes much calls this after each commit;
 * `run` does the work in a worker thread. Resolves at once unless the log has become too long.
 */
export function createCheckpoints(db: Database, run: () => Promise<void>): () => Promise<void> {
  const log = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
  let running: Promise<void> | null = null
  return async () => {
    const { log: pages, checkpointed } = log.get()!
    if (pages - checkpointed > BEGIN_PAGES) running ??= run().finally(() => (running = null))
    if (pages > MOST_PAGES) await running
  }
}
