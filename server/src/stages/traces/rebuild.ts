import type { Core } from '#server/core.ts'
import type { Progress } from '#server/jobs/jobs.ts'
import type { DerivedCounts } from '#server/stages/capture/index.ts'
import type { Search } from './search/search.ts'

export interface RebuildDeps {
  /** Refills what capture knows of the archive; from then on every session owes its rows. */
  rebuildSources: () => Promise<{ traces: number; problems: string[] }>
  /** Derives what is owed, through `onArchived`. */
  deriveOwed: (options: {
    reason: 'rebuild' | 'import'
    signal?: AbortSignal
    jobId?: string | null
    onProgress?: (done: number, total: number) => void
  }) => Promise<DerivedCounts>
}

export interface RebuildResult {
  traces: number
  records: number
  steps: number
  problems: string[]
  ms: number
}

/**
 * Every derived row again, from the archive alone; own tables are not touched. First what capture owes is written
 * down, then the rows go, in one transaction: a kill at any point leaves debts that the next start pays.
 */
export async function rebuild(
  core: Core,
  search: Search,
  deps: RebuildDeps,
  context: { id?: string; signal: AbortSignal; progress: (value: Progress) => void },
): Promise<RebuildResult> {
  const begun = core.now()
  context.progress({ phase: 'reading the archive', done: 0, total: null, unit: 'sessions' })
  const { traces, problems } = await deps.rebuildSources()
  context.signal.throwIfAborted()
  core.tx(() => {
    core.db.exec(
      'DELETE FROM trace_details; DELETE FROM trace_facets; DELETE FROM traces; DELETE FROM entries; DELETE FROM responses; DELETE FROM search_gone',
    )
    core.events.renewEpoch()
  })
  search.wake() // another epoch: the indexer empties its file
  // Rows are gone from here on: a job that is cancelled ends, but what is owed is paid all the same.
  context.signal.addEventListener('abort', () => void deps.deriveOwed({ reason: 'import' }), { once: true })
  const counts = await deps.deriveOwed({
    reason: 'rebuild',
    signal: context.signal,
    jobId: context.id ?? null,
    onProgress: (done, total) => context.progress({ phase: 'making rows again', done, total, unit: 'sessions' }),
  })
  return {
    traces,
    records: counts.records,
    steps: counts.steps,
    problems: [...problems, ...counts.errors.map(({ file, message }) => `${file}: ${message}`)],
    ms: core.now() - begun,
  }
}
