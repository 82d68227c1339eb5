import fs from 'node:fs'
import path from 'node:path'
import type { Core } from '#server/core.ts'
import { createSpool, type SpoolOptions } from './spool.ts'

export interface SpoolTakerOptions extends Pick<SpoolOptions, 'store' | 'onDoorbell' | 'onProblem'> {
  core: Core
  /** A problem of this kind is over. */
  onSolved: (kind: string) => void
}

/** Another look at spool files whose writer is still at work. */
const LATE_BYTES_MS = 200

/** Takes hook events out of the spool, one taker at a time, and again when files come. */
export function createSpoolTaker({ core: { paths, config, now, disk }, store, onDoorbell, onProblem, onSolved }: SpoolTakerOptions) {
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

  /** A call while another one is at work makes that one look again. */
  function take(): Promise<void> {
    if (taking) takeAgain = true
    else taking = takeAll()
    return taking
  }

  return {
    take,
    count: (): number => spool.count(),
    forget: (sessionId: string): void => spool.forget(sessionId),
    /** Takes from now on whatever comes. */
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
    /** Resolves when the taker that is at work, if any, is done. */
    settled: (): Promise<void> => taking ?? Promise.resolve(),
    /** What comes later waits for the next start. */
    async close(): Promise<void> {
      watch?.close()
      await taking
      closed = true
      clearTimeout(late ?? undefined)
    },
  }
}
