import { lookup } from '#contracts/lookup.ts'
import type { PairDetail, PairsFound, PreferenceRow } from '#contracts/entities/example.ts'
import { implement } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/pairs.ts'
import type { Core } from '#server/core.ts'
import type { FactoryDeps } from '../service.ts'
import { searchPairs } from './find.ts'
import type { PairRefresh } from './refresh.ts'
import type { PairRowInput } from './pair-rows.job.ts'
import { toPair, type PairStore } from './store.ts'

const ROWS_JOB = new URL('./pair-rows.job.ts', import.meta.url)

/** Routes for finding and reviewing pairs. */
export function pairRoutes(core: Core, store: PairStore, deps: FactoryDeps, refresh: PairRefresh) {
  const { tx, events, jobs, workers, paths } = core
  const publishChange = (pairs: number) => events.append('pairs:changed', { pairs })

  const detail = async (id: string, signal: AbortSignal): Promise<PairDetail> => {
    const stored = store.get(id)
    if (!stored) throw new AppError('pair_not_found')
    const { pair, options, marks } = stored
    const input: PairRowInput = { database: paths.database, archive: paths.archive, pair, options, gate: deps.gate('review of pairs') }
    const row = await workers.run<PreferenceRow | null>(ROWS_JOB, input, { lane: 'query', signal })
    if (!row) throw new AppError('pair_not_found', { message: 'A session of this pair has changed or was deleted. Find pairs again.' })
    return { ...toPair(pair, marks), row }
  }

  return [
    implement(routes.findPairs, ({ body: { selection, options } }) =>
      jobs.start(
        'pairs',
        async (context) => {
          const ids = 'ids' in selection ? selection.ids : await deps.traces.ids(selection.filter)
          const gate = deps.gate('review of pairs')
          const { pairs, dropped } = await searchPairs(core, ids, { options, preferred: deps.preferred(), gate }, context)
          context.signal.throwIfAborted()
          tx(() => {
            store.replace(pairs, options)
            refresh.afterStore(gate.policyHash)
            publishChange(pairs.length)
          })
          refresh.wake()
          const bySource: Record<string, number> = lookup({ task: 0, decision: 0, correction: 0 })
          for (const { source } of pairs) bySource[source]! += 1
          return { sessions: ids.length, pairs: pairs.length, bySource, left: dropped } satisfies PairsFound
        },
        { single: true },
      ),
    ),
    implement(routes.listPairs, ({ query: { cursor = '', limit, ...filter } }) => store.list(filter, cursor, limit)),
    implement(routes.getPair, ({ params, signal }) => detail(params.id, signal)),
    implement(routes.reviewPairs, ({ body: { selection, state }, who }) =>
      tx(() => {
        const result = store.review(selection, state, who)
        if (result.changed > 0) publishChange(result.changed)
        return result
      }),
    ),
    implement(routes.undoPairReview, ({ params }) =>
      tx(() => {
        const changed = store.undoReview(params.bulkId)
        if (changed === 0) throw new AppError('nothing_to_undo')
        publishChange(changed)
        return { changed }
      }),
    ),
  ]
}
