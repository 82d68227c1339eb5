import fs from 'node:fs'
import path from 'node:path'
import type { Core } from '#server/core.ts'
import { createSpool, type SpoolOptions } from './spool.ts'

export interface SpoolReaderOptions extends Pick<SpoolOptions, 'store' | 'onDoorbell' | 'onProblem'> {
  core: Core
  /** A problem of this kind is solved. */
  onSolved: (kind: string) => void
}

/** Spool files whose writer is still running are read again after this delay. */
const LATE_BYTES_MS = 200

/** Reads hook events from the spool at each call and when files arrive; only one read runs at a time. */
export function createSpoolReader({ core: { paths, config, now, disk }, store, onDoorbell, onProblem, onSolved }: SpoolReaderOptions) {
  const spool = createSpool({ folder: paths.spool, quarantine: path.join(config.dataDir, 'quarantine'), store, onDoorbell, onProblem, now })
  let watcher: fs.FSWatcher | null = null
  let lateTimer: NodeJS.Timeout | null = null
  let currentRead: Promise<void> | null = null
  let shouldReadAgain = false
  let closed = false

  const readAll = async () => {
    try {
      do {
        shouldReadAgain = false
        const isAnyUnfinished = await spool.readAll()
        if (isAnyUnfinished && !closed) {
          clearTimeout(lateTimer ?? undefined)
          lateTimer = setTimeout(() => void read(), LATE_BYTES_MS).unref()
        }
      } while (shouldReadAgain)
      onSolved('spool-blocked')
    } catch (error) {
      disk.reportIfFull(error)
      onProblem(
        'spool-blocked',
        `Hook events could not be imported: ${(error as Error).message}`,
        'They are kept and imported with the next event or at the next start.',
      )
    } finally {
      currentRead = null
    }
  }

  /** A call during a read makes that read start again after its end. */
  function read(): Promise<void> {
    if (currentRead) shouldReadAgain = true
    else currentRead = readAll()
    return currentRead
  }

  return {
    read,
    count: (): number => spool.count(),
    forget: (sessionId: string): void => spool.forget(sessionId),
    /** Starts reading new files. */
    watch(): void {
      try {
        watcher = fs.watch(paths.spool, { persistent: false }, (_, name) => {
          if (name === null || !name.startsWith('.')) void read()
        })
      } catch (error) {
        onProblem(
          'watch',
          `Can't watch the folder for hook events: ${(error as Error).message}`,
          'Hook events are imported at the next start.',
        )
      }
    },
    /** Resolves when the current read is done, or at once if none is running. */
    settled: (): Promise<void> => currentRead ?? Promise.resolve(),
    /** Files that arrive afterwards are read at the next start. */
    async close(): Promise<void> {
      watcher?.close()
      await currentRead
      closed = true
      clearTimeout(lateTimer ?? undefined)
    },
  }
}
