import type { RebuildResult } from '#contracts/entities/system.ts'
import type { Core } from '#server/core.ts'
import type { Progress } from '#server/jobs/jobs.ts'
import type { DerivedCounts } from '#server/stages/capture/index.ts'
import type { Search } from './search/search.ts'
import type { TraceStore } from './store.ts'

export interface RebuildDeps {
  /** Refills what capture knows of the archive; from then on every session owes its rows. */
  rebuildSources: (options: {
    signal?: AbortSignal
    onProgress?: (done: number, total: number) => void
  }) => Promise<{ traces: number; problems: string[]; damaged: DamagedTrace[] }>
  /** Nothing is owed for this session any more. */
  markDerived: (traceId: string) => unknown
  /** Derives what is owed, through `onArchived`. */
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
 * Every derived row again, from the archive alone; own tables are not touched. First what capture owes is written
 * down, then the rows go, in one transaction: a kill at any point leaves debts that the next start pays. A session
 * whose archive is damaged keeps the rows that it has, with a problem that says so.
 */
export async function rebuild(
  core: Core,
  store: TraceStore,
  search: Search,
  deps: RebuildDeps,
  context: { id?: string; signal: AbortSignal; progress: (value: Progress) => void },
): Promise<RebuildResult> {
  const begun = core.now()
  context.progress({ phase: 'reading the archive', done: 0, total: null, unit: 'sessions' })
  const { traces, problems, damaged } = await deps.rebuildSources({
    signal: context.signal,
    onProgress: (done, total) => context.progress({ phase: 'reading the archive', done, total, unit: 'sessions' }),
  })
  context.signal.throwIfAborted()
  const kept = core.tx(() => {
    const hadRows = store.keepOnly(damaged.map(({ traceId }) => traceId))
    for (const { traceId, damage } of damaged) {
      if (!hadRows.has(traceId)) continue
      deps.markDerived(traceId)
      store.setProblem(traceId, DAMAGED, { kind: DAMAGED, source: 'archive', line: null, message: damage.join(' ') })
    }
    core.events.renewEpoch()
    return hadRows
  })
  search.wake() // another epoch: the indexer empties its file
  // Rows are gone from here on: a job that is cancelled ends, but what is owed is paid all the same.
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
    problems: [...problems, ...damaged.map((one) => describeDamage(one, kept.has(one.traceId)))],
    errors: counts.errors,
    ms: core.now() - begun,
  }
}

const describeDamage = ({ traceId, sessionId, damage }: DamagedTrace, isKept: boolean): string =>
  `The archive of session ${sessionId} (${traceId}) is damaged${isKept ? ', so its existing data was kept' : ''}: ${damage.join(' ')} Run \`bashgym verify\` to see how to fix it.`
