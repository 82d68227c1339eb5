import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, csv, Limit, page } from '../entities/common.ts'
import { ExampleOptions, Pair, PairDetail, PairSource, ReviewState } from '../entities/example.ts'
import { Job } from '../entities/job.ts'
import { Selection } from './traces.ts'

const route = routesOf('factory')
const PairId = z.string().regex(/^pr_[0-9a-f]{24}$/)

export const PairFilter = z.object({
  state: csv(ReviewState).optional(),
  source: csv(PairSource).optional(),
  repo: z.string().max(400).optional(),
  trace: z.string().max(40).optional(),
  q: z.string().max(500).optional().meta({ description: 'words of the prompt' }),
})
export type PairFilter = z.infer<typeof PairFilter>

/** Named pairs, or all that a filter matches when the act is done. */
export const PairSelection = z
  .union([z.object({ ids: z.array(PairId).min(1).max(10_000) }), z.object({ filter: PairFilter.strict() })])
  .meta({ id: 'PairSelection' })
export type PairSelection = z.infer<typeof PairSelection>

export const findPairs = route.post('findPairs', '/api/factory/pairs/find', {
  summary:
    'Look for preference pairs in chosen sessions; those reviewed before stay. `result` counts them by source, and what was left out',
  status: 202,
  body: z.object({ selection: Selection, options: ExampleOptions.prefault({}) }),
  response: Job,
  errors: ['job_running', 'filter_invalid'],
})
export const listPairs = route.get('listPairs', '/api/factory/pairs', {
  summary: 'Preference pairs under review; text as the privacy policy clears it',
  query: PairFilter.extend({ cursor: Cursor, limit: Limit }),
  response: page(Pair).extend({
    counts: z.object({
      source: z.record(z.string(), z.number().int()),
      state: z.record(z.string(), z.number().int()),
    }),
  }),
})
export const getPair = route.get('getPair', '/api/factory/pairs/{id}', {
  summary: 'One pair, both sides whole, made again from the archive and cleared by the privacy policy',
  params: z.object({ id: PairId }),
  response: PairDetail,
  errors: ['pair_not_found', 'archive_damaged'],
})
export const reviewPairs = route.patch('reviewPairs', '/api/factory/pairs', {
  summary: 'Accept or reject pairs; one act, undone as one',
  body: z.object({ selection: PairSelection, state: ReviewState }),
  response: z.object({ bulkId: z.string(), changed: z.number().int() }),
})
export const undoPairReview = route.post('undoPairReview', '/api/factory/pairs/reviews/{bulkId}/undo', {
  summary: 'Undo an act of review',
  params: z.object({ bulkId: z.string().max(100) }),
  body: z.object({}),
  response: z.object({ changed: z.number().int() }),
  errors: ['nothing_to_undo'],
})
