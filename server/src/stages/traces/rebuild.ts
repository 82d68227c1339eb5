import type { RebuildResult } from '#contracts/entities/system.ts'
import type { Core } from '#server/core.ts'
import type { Progress } from '#server/jobs/jobs.ts'
import type { DerivedCounts } from '#server/stages/capture/index.ts'
import type { Search } from './search/search.ts'
import type { TraceStore } from './store.ts'

export interface RebuildDeps {
  /** Refills capture's tables from the archive; every session is then pending. */
  rebuildSources: (options: {
    signal?: AbortSignal
    onProgress?: (done: number, total: number) => void
  }) => Promise<{ traces: number; problems: string[]; damaged: DamagedTrace[] }>
  /** Marks this session as no longer pending. */
  markDerived: (traceId: string) => unknown
  /** Derives pending sessions, through `onArchived`. */
  derivePending: (options: {
    reason: 'rebuild' | 'import'
    signal?: AbortSignal
    jobId?: string | null
    onProgress?: (done: number, total: number) => void
  }) => Promise<DerivedCounts>
}

interface DamagedTrace {
  traceId: string
  sessionId: string
  damage: string[]
}

const DAMAGED = 'archive-damaged'

/**
 * Recreates every derived row from the archive; own tables are not touched. The sessions are marked as pending before the
 * rows are deleted in one transaction, so that the next start continues after a kill. A session with a damaged archive
 * keeps its rows and gets a problem.
 */
export async function rebuild(
  core: Core,
  store: TraceStore,
  search: Search,
  deps: RebuildDeps,
  context: { id?: string; signal: AbortSignal; progress: (value: Progress) => void },
): Promise<RebuildResult> {
  const startedAt = core.now()
  context.progress({ phase: 'reading the archive', done: 0, total: null, unit: 'sessions' })
  const { traces, problems, damaged } = await deps.rebuildSources({
    signal: context.signal,
    onProgress: (done, total) => context.progress({ phase: 'reading the archive', done, total, unit: 'sessions' }),
  })
  context.signal.throwIfAborted()
  const keptIds = core.tx(() => {
    const hadRows = store.keepOnly(damaged.map(({ traceId }) => traceId))
    for (const { traceId, damage } of damaged) {
      if (!hadRows.has(traceId)) continue
      deps.markDerived(traceId)
      store.setProblem(traceId, DAMAGED, { kind: DAMAGED, source: 'archive', line: null, message: damage.join(' ') })
    }
    core.events.renewEpoch()
    return hadRows
  })
  search.wake() // new epoch: the indexer empties its file
  // The rows are deleted from here on: a cancelled job ends, but pending sessions are still derived.
  context.signal.addEventListener('abort', () => void deps.derivePending({ reason: 'import' }), { once: true })
  const counts = await deps.derivePending({
    reason: 'rebuild',
    signal: context.signal,
    jobId: context.id ?? null,
    onProgress: (done, total) => context.progress({ phase: 'rebuilding the database', done, total, unit: 'sessions' }),
  })
  return {
    traces,
    records: counts.records,
    steps: counts.steps,
    problems: [...problems, ...damaged.map((one) => describeDamage(one, keptIds.has(one.traceId)))],
    errors: counts.errors,
    ms: core.now() - startedAt,
  }
}

const describeDamage = ({ traceId, sessionId, damage }: DamagedTrace, isKept: boolean): string =>
  `The archive of session ${sessionId} (${traceId}) is damaged${isKept ? ', so its existing data was kept' : ''}: ${damage.join(' ')} Run \`bashgym verify\` to see how to fix it.`
