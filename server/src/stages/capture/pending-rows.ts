import type { Agent } from '#contracts/entities/common.ts'
import type { Core } from '#server/core.ts'
import { isLarge } from './batches.ts'
import { rowsFailure } from './intake-errors.ts'
import { createLimiter, type KeyedQueue } from './queue.ts'
import type { ArchivedTrace, CaptureStore } from './store.ts'
import type { ArchiveChange, DerivedCounts } from './types.ts'

export interface PendingOptions {
  reason: ArchiveChange['reason']
  jobId?: string | null
  /** Only this trace. */
  onlyTraceId?: string
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

interface Deps {
  core: Core
  store: CaptureStore
  onArchived: (change: ArchiveChange) => Promise<DerivedCounts>
  locks: KeyedQueue
  traceDir: (agent: Agent, traceId: string) => string
}

const DERIVING_AT_A_TIME = 4

/** Derives the rows of archived sessions; sessions whose rows failed stay pending and can be derived later. */
export function createPendingRows({ core, store, onArchived, locks, traceDir }: Deps) {
  const deriving = createLimiter(DERIVING_AT_A_TIME)
  const background = new Set<Promise<unknown>>()

  const inBackground = <T>(work: Promise<T>): Promise<T> => {
    background.add(work)
    work.catch(() => undefined).finally(() => background.delete(work)) // the caller handles the error; this only tracks the end
    return work
  }
  /** The trace stays pending until its rows are committed. */
  const derive = async (change: ArchiveChange): Promise<DerivedCounts> => {
    const counts = await deriving.run(() => onArchived(change)).catch((error: unknown) => Promise.reject(rowsFailure(error)))
    store.markDerived(change.traceId)
    return counts
  }

  return {
    derive,
    inBackground,
    /** Derives all pending rows: after a crash, for hook facts without a transcript, or in a rebuild. */
    async derivePending(options: PendingOptions): Promise<DerivedCounts> {
      const sum: DerivedCounts = { records: 0, steps: 0, errors: [] }
      const traces = store.pending().filter(({ traceId }) => options.onlyTraceId === undefined || traceId === options.onlyTraceId)
      let done = 0
      const limiter = createLimiter(DERIVING_AT_A_TIME)
      const deriveOne = async (trace: ArchivedTrace) => {
        if (!store.isPending(trace.traceId)) return // already done
        const directory = traceDir(trace.agent, trace.traceId)
        const change = { ...trace, traceDir: directory, isNew: false, bytes: 0, reason: options.reason, jobId: options.jobId ?? null }
        const counts = await inBackground(derive(change))
        sum.records += counts.records
        sum.steps += counts.steps
        sum.errors.push(...counts.errors)
      }
      const deriveLocked = async (trace: ArchivedTrace) => {
        if (options.signal?.aborted) return
        await locks
          .run(trace.traceId, () => deriveOne(trace))
          .catch((error: unknown) => {
            core.disk.reportIfFull(error)
            sum.errors.push({ file: trace.traceId, line: null, message: error instanceof Error ? error.message : String(error) })
            core.log.warn({ err: error, traceId: trace.traceId }, 'an archived session is not in the database yet')
          })
        options.onProgress?.((done += 1), traces.length)
      }
      const sizes = store.sizes()
      const { large, normal } = Object.groupBy(traces, ({ traceId }) =>
        isLarge({ newBytes: sizes.get(traceId) ?? 0 }) ? 'large' : 'normal',
      )
      await Promise.all(normal?.map((trace) => limiter.run(() => deriveLocked(trace))) ?? [])
      for (const trace of large ?? []) await deriveLocked(trace) // two large sessions at once would take too much memory
      return sum
    },
    drain: async () => {
      while (background.size > 0) await Promise.allSettled(background)
    },
  }
}
