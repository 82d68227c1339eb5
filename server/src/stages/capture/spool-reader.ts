import fs from 'node:fs'
import path from 'node:path'
import type { Core } from '#server/core.ts'
import { createSpool, type SpoolOptions } from './spool.ts'

export interface SpoolReaderOptions extends Pick<SpoolOptions, 'store' | 'onDoorbell' | 'onProblem'> {
  core: Core
  /** A problem of this kind is solved. */
  onSolved: (kind: string) => void
}

/** Delay before reading spool files again whose writer is still running. */
const LATE_BYTES_MS = 200

/** Reads hook events from the spool, one reader at a time, and again when files arrive. */
export function createSpoolReader({ core: { paths, config, now, disk }, store, onDoorbell, onProblem, onSolved }: SpoolReaderOptions) {
  const spool = createSpool({ folder: paths.spool, quarantine: path.join(config.dataDir, 'quarantine'), store, onDoorbell, onProblem, now })
  let watch: fs.FSWatcher | null = null
  let late: NodeJS.Timeout | null = null
  let taking: Promise<void> | null = null
  let takeAgain = false
  let closed = false

  const takeAll = async () => {
    try {
      do {
        takeAgain = false
        const waits = await spool.take()
        if (waits && !closed) {
          clearTimeout(late ?? undefined)
          late = setTimeout(() => void take(), LATE_BYTES_MS).unref()
        }
      } while (takeAgain)
      onSolved('spool-blocked')
    } catch (error) {
      disk.note(error)
      onProblem(
        'spool-blocked',
        `Hook events could not be imported: ${(error as Error).message}`,
        'They are kept and imported with the next event or at the next start.',
      )
    } finally {
      taking = null
    }
  }

  /** A call while another one is running makes that one read again. */
  function take(): Promise<void> {
    if (taking) takeAgain = true
    else taking = takeAll()
    return taking
  }

  return {
    take,
    count: (): number => spool.count(),
    forget: (sessionId: string): void => spool.forget(sessionId),
    /** Starts reading new files. */
    watch(): void {
      try {
        watch = fs.watch(paths.spool, { persistent: false }, (_, name) => {
          if (name === null || !name.startsWith('.')) void take()
        })
      } catch (error) {
        onProblem(
          'watch',
          `Can't watch the folder for hook events: ${(error as Error).message}`,
          'Hook events are imported at the next start.',
        )
      }
    },
    /** Resolves when the current read, if any, is done. */
    settled: (): Promise<void> => taking ?? Promise.resolve(),
    /** Later files wait for the next start. */
    async close(): Promise<void> {
      watch?.close()
      await taking
      closed = true
      clearTimeout(late ?? undefined)
    },
  }
}
