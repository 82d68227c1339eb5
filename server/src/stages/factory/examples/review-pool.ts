import type { ExampleOptions, ExamplesMade } from '#contracts/entities/example.ts'
import { Closing } from '#server/jobs/stops.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { performEach } from '#server/runs/pool.ts'
import type { FactoryStore } from '../store.ts'
import type { ExamplesJobOutput } from './examples.job.ts'

/** Exclusions beyond this number are only counted. */
export const MAX_LISTED_EXCLUSIONS = 500

/** Few, so that threads remain free for live sessions. */
const CONCURRENT_SESSIONS = 2

export type MakeRows = (traceId: string, options: ExampleOptions, signal: AbortSignal) => Promise<ExamplesJobOutput | null>

/** The examples under review: jobs add them, and changed sessions update them. */
export function createReviewPool(
  { tx, events, log }: Pick<Core, 'tx' | 'events' | 'log'>,
  store: FactoryStore,
  policyHash: () => string,
  makeRows: MakeRows,
) {
  const closing = new AbortController()
  let refreshing: Promise<void> | null = null

  /** Compared after a session's rows were made, to detect that it changed meanwhile. */
  const currentState = (traceId: string) => ({ changes: store.staleness(traceId), policy: policyHash() })
  type PoolState = ReturnType<typeof currentState>

  const write = (traceId: string, options: ExampleOptions, examples: ExamplesJobOutput['examples'], state: PoolState) =>
    tx(() => {
      if (!store.replaceExamples(traceId, options, examples, state.changes)) return false
      if (policyHash() !== state.policy) store.markStale(traceId)
      events.append('examples:changed', { traceIds: [traceId], examples: examples.length })
      return true
    })

  /** Makes the examples of many sessions; finished ones remain after a cancel. */
  async function fill(
    traceIds: readonly string[],
    options: ExampleOptions,
    { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
  ): Promise<ExamplesMade> {
    const sessions = new Set(traceIds)
    const total = sessions.size
    const result: ExamplesMade = { traces: 0, examples: 0, excluded: [], left: [], failed: [] }
    const reasons = new Map<string, number>()
    let done = 0
    progress({ phase: 'making examples', done, total, unit: 'sessions' })
    await performEach(sessions, { places: () => CONCURRENT_SESSIONS, signal }, async (traceId) => {
      try {
        const state = currentState(traceId)
        const output = await makeRows(traceId, options, signal)
        if (output && write(traceId, options, output.examples, state)) {
          result.traces += 1
          result.examples += output.examples.length
          for (const { segmentId: stepId, reason, detail } of output.excluded) {
            reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
            if (result.left.length < MAX_LISTED_EXCLUSIONS) result.left.push({ traceId, stepId, reason, detail })
          }
        }
      } catch (error) {
        signal.throwIfAborted()
        result.failed.push({ traceId, message: error instanceof Error ? error.message : String(error) })
      }
      done += 1
      progress({ phase: 'making examples', done, total, unit: 'sessions' })
    })
    return { ...result, excluded: [...reasons].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count) }
  }

  const refresh = async () => {
    for (let next = store.nextStale(); next && !closing.signal.aborted; next = store.nextStale()) {
      const { traceId, options } = next
      const state = currentState(traceId)
      try {
        const output = await makeRows(traceId, options, closing.signal)
        if (!output || !write(traceId, options, output.examples, state)) store.settle(traceId, state.changes)
      } catch (error) {
        if (closing.signal.aborted) return
        store.settle(traceId, state.changes) // retried only after its next change
        log.error({ err: error, traceId }, 'The examples of a session could not be updated')
      }
    }
  }

  return {
    fill,
    /** Starts remaking the examples of changed sessions. */
    wake(): void {
      if (closing.signal.aborted) return
      refreshing ??= refresh().finally(() => (refreshing = null))
    },
    /** Resolves when no examples are being remade. */
    settled: (): Promise<void> => refreshing ?? Promise.resolve(),
    async close(): Promise<void> {
      closing.abort(new Closing())
      await refreshing?.catch(() => undefined)
    },
  }
}
