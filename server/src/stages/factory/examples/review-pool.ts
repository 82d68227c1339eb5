import type { ExampleOptions, ExamplesMade } from '#contracts/entities/example.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { FactoryStore } from '../store.ts'
import type { ExamplesJobOutput } from './examples.job.ts'

/** What was left out is named so far; all of it is counted. */
export const MAX_LEFT = 500

/** Sessions read at the same time: the pool of threads is small, and live sessions go first. */
const AT_ONCE = 2

export type MakeRows = (traceId: string, options: ExampleOptions, signal: AbortSignal) => Promise<ExamplesJobOutput | null>

/** The examples under review: filled by jobs, and kept in line with sessions that change. */
export function createReviewPool(
  { tx, events, log }: Pick<Core, 'tx' | 'events' | 'log'>,
  store: FactoryStore,
  policyHash: () => string,
  makeRows: MakeRows,
) {
  const closing = new AbortController()
  let refreshing: Promise<void> | null = null

  /** Identity of the rows that are made from now on. */
  const begin = (traceId: string) => ({ changes: store.staleness(traceId), policy: policyHash() })
  type Begun = ReturnType<typeof begin>

  const write = (traceId: string, options: ExampleOptions, examples: ExamplesJobOutput['examples'], begun: Begun) =>
    tx(() => {
      if (!store.replaceExamples(traceId, options, examples, begun.changes)) return false
      if (policyHash() !== begun.policy) store.markStale(traceId)
      events.append('examples:changed', { traceIds: [traceId], examples: examples.length })
      return true
    })

  /** Makes the examples of many sessions; what was done stays when it is cancelled. */
  async function fill(
    traceIds: readonly string[],
    options: ExampleOptions,
    { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
  ): Promise<ExamplesMade> {
    const waiting = [...new Set(traceIds)]
    const total = waiting.length
    const result: ExamplesMade = { traces: 0, examples: 0, excluded: [], left: [], failed: [] }
    const reasons = new Map<string, number>()
    let done = 0
    progress({ phase: 'making examples', done, total, unit: 'sessions' })
    const work = async () => {
      for (let traceId = waiting.shift(); traceId !== undefined; traceId = waiting.shift()) {
        signal.throwIfAborted()
        try {
          const begun = begin(traceId)
          const output = await makeRows(traceId, options, signal)
          if (output && write(traceId, options, output.examples, begun)) {
            result.traces += 1
            result.examples += output.examples.length
            for (const { segmentId: stepId, reason, detail } of output.excluded) {
              reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
              if (result.left.length < MAX_LEFT) result.left.push({ traceId, stepId, reason, detail })
            }
          }
        } catch (error) {
          signal.throwIfAborted()
          result.failed.push({ traceId, message: error instanceof Error ? error.message : String(error) })
        }
        done += 1
        progress({ phase: 'making examples', done, total, unit: 'sessions' })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return { ...result, excluded: [...reasons].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count) }
  }

  const refresh = async () => {
    for (let next = store.nextStale(); next && !closing.signal.aborted; next = store.nextStale()) {
      const { traceId, options } = next
      const begun = begin(traceId)
      try {
        const output = await makeRows(traceId, options, closing.signal)
        if (!output || !write(traceId, options, output.examples, begun)) store.settle(traceId, begun.changes)
      } catch (error) {
        if (closing.signal.aborted) return
        store.settle(traceId, begun.changes) // not tried again before it changes again
        log.error({ err: error, traceId }, 'The examples of a session could not be updated')
      }
    }
  }

  return {
    fill,
    /** Makes the examples of sessions again that have changed and are at rest. */
    wake(): void {
      if (closing.signal.aborted) return
      refreshing ??= refresh().finally(() => (refreshing = null))
    },
    /** Resolves when nothing is being made again. */
    settled: (): Promise<void> => refreshing ?? Promise.resolve(),
    async close(): Promise<void> {
      closing.abort(new DOMException('The server is stopping.', 'AbortError'))
      await refreshing?.catch(() => undefined)
    },
  }
}
