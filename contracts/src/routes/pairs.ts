import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, csv, Limit, page } from '../entities/common.ts'
import { ExampleOptions, Pair, PairDetail, PairSource, ReviewState } from '../entities/example.ts'
import { Job } from '../entities/job.ts'
import { Selection } from './traces.ts'
import { notAPlace } from '../places.ts'

const route = routesOf('factory')
const PairId = z.string().regex(/^pr_[0-9a-f]{24}$/)

export const PairFilter = z.object({
  state: csv(ReviewState).optional(),
  source: csv(PairSource).optional(),
  repo: notAPlace(z.string().max(400), 'compared with the repositories of sessions').optional(),
  trace: z.string().max(40).optional(),
  q: z.string().max(500).optional().meta({ description: 'words of the prompt' }),
})
export type PairFilter = z.infer<typeof PairFilter>

/** Pairs by id, or all that match a filter at the time of the call. */
export const PairSelection = z
  .union([z.object({ ids: z.array(PairId).min(1).max(10_000) }), z.object({ filter: PairFilter.strict() })])
  .meta({ id: 'PairSelection' })
export type PairSelection = z.infer<typeof PairSelection>

export const findPairs = route.post('findPairs', '/api/factory/pairs/find', {
  summary: 'Find preference pairs in selected sessions; reviewed pairs are kept. `result` counts pairs by source, and exclusions',
  status: 202,
  body: z.object({ selection: Selection, options: ExampleOptions.prefault({}) }),
  response: Job,
  errors: ['job_running', 'filter_invalid'],
})
export const listPairs = route.get('listPairs', '/api/factory/pairs', {
  summary: 'Preference pairs under review, with the privacy policy applied',
  query: PairFilter.extend({ cursor: Cursor, limit: Limit }),
  response: page(Pair).extend({
    counts: z.object({
      source: z.record(z.string(), z.number().int()),
      state: z.record(z.string(), z.number().int()),
    }),
  }),
})
export const getPair = route.get('getPair', '/api/factory/pairs/{id}', {
  summary: 'A pair with both sides, read from the archive, with the privacy policy applied',
  params: z.object({ id: PairId }),
  response: PairDetail,
  errors: ['pair_not_found', 'archive_damaged'],
})
export const reviewPairs = route.patch('reviewPairs', '/api/factory/pairs', {
  summary: 'Accept or reject pairs; one undo reverts all',
  body: z.object({ selection: PairSelection, state: ReviewState }),
  response: z.object({ bulkId: z.string(), changed: z.number().int() }),
})
export const undoPairReview = route.post('undoPairReview', '/api/factory/pairs/reviews/{bulkId}/undo', {
  summary: 'Undo a review',
  params: z.object({ bulkId: z.string().max(100) }),
  body: z.object({}),
  response: z.object({ changed: z.number().int() }),
  errors: ['nothing_to_undo'],
})
