import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, csv, Id, Limit, page, Tier, TraceId } from '../entities/common.ts'
import { ChatMessage, Example, ExampleDetail, ExampleFlag, ExampleOptions, ReviewState } from '../entities/example.ts'
import { DatasetRecipe } from '../entities/dataset.ts'
import { Job } from '../entities/job.ts'
import { Selection } from './traces.ts'
import { notAPlace } from '../places.ts'

const route = routesOf('factory')
const params = z.object({ id: Id })

export const ExampleSort = z
  .enum(['-createdAt', 'createdAt', '-tokens', 'tokens', '-turns', 'turns', '-steps', 'steps', '-quality', 'quality', 'repo', '-repo'])
  .meta({ id: 'ExampleSort', description: 'a leading minus sorts in descending order; unknown values count as lowest' })

export const ExampleFilter = z.object({
  state: csv(ReviewState).optional(),
  trace: TraceId.optional(),
  repo: notAPlace(z.string().max(400), 'compared with the repositories of sessions')
    .optional()
    .meta({ description: '"-" means examples without a known repository' }),
  tier: csv(Tier).optional(),
  flag: ExampleFlag.optional(),
  q: z.string().max(500).optional().meta({ description: 'words of the prompt' }),
  minTokens: z.coerce.number().int().min(0).optional(),
  maxTokens: z.coerce.number().int().min(0).optional().meta({ description: 'fewer than this' }),
})
export type ExampleFilter = z.infer<typeof ExampleFilter>

const Count = z.object({ value: z.string(), count: z.number().int() })
const States = z.object({ proposed: z.number().int(), accepted: z.number().int(), rejected: z.number().int() })
export const ExampleFacets = z
  .object({
    total: z.number().int(),
    states: States.meta({ description: 'with the filter, but not its states' }),
    repos: z.array(States.extend({ repo: z.string().nullable() })).meta({ description: 'like `states`; largest first, at most 200' }),
    tier: z.array(Count),
    flag: z.array(Count),
    tokens: z
      .array(z.object({ from: z.number().int(), to: z.number().int().nullable(), count: z.number().int() }))
      .meta({ description: 'by length in estimated tokens, `to` exclusive; with the filter, but not its lengths' }),
  })
  .meta({ id: 'ExampleFacets' })

/** Examples by id, or all that match a filter at the time of the call. */
export const ExampleSelection = z
  .union([z.object({ ids: z.array(Id).min(1).max(10_000) }), z.object({ filter: ExampleFilter.strict() })])
  .meta({ id: 'ExampleSelection' })
export type ExampleSelection = z.infer<typeof ExampleSelection>

const list = {
  query: ExampleFilter.extend({ sort: ExampleSort.default('-createdAt'), cursor: Cursor, limit: Limit }),
  response: page(Example),
} as const

/** The sessions that a data set with the same filter, minimum and switches would use. */
export const buildExamples = route.post('buildExamples', '/api/factory/examples/build', {
  summary: 'Make examples from selected sessions, for review; `result` counts examples, and exclusions by reason',
  status: 202,
  body: z.object({
    selection: Selection,
    options: ExampleOptions.prefault({}),
    ...DatasetRecipe.pick({ minQuality: true, unverified: true, runs: true }).shape,
  }),
  response: Job,
  errors: ['job_running', 'filter_invalid'],
})
export const listExamples = route.get('listExamples', '/api/factory/examples', {
  summary: 'Examples under review, with the privacy policy applied',
  ...list,
})
export const listTrainingExamples = route.get('listTrainingExamples', '/api/training/examples', {
  summary: 'Another name of listExamples',
  ...list,
})
export const getExampleFacets = route.get('getExampleFacets', '/api/factory/examples/facets', {
  summary: 'Counts of examples by state, repository, tier, flag and length under a filter',
  query: ExampleFilter,
  response: ExampleFacets,
})
export const getExample = route.get('getExample', '/api/factory/examples/{id}', {
  summary: 'An example with its messages, read from the archive, with the privacy policy applied',
  params,
  response: ExampleDetail,
  errors: ['example_not_found', 'archive_damaged'],
})
export const reviewExamples = route.patch('reviewExamples', '/api/factory/examples', {
  summary: 'Accept or reject examples; one undo reverts all',
  body: z.object({ selection: ExampleSelection, state: ReviewState }),
  response: z.object({ bulkId: z.string(), changed: z.number().int() }),
})
export const undoReview = route.post('undoReview', '/api/factory/examples/reviews/{bulkId}/undo', {
  summary: 'Undo a review',
  params: z.object({ bulkId: z.string().max(100) }),
  body: z.object({}),
  response: z.object({ changed: z.number().int() }),
  errors: ['nothing_to_undo'],
})
export const editExample = route.put('editExample', '/api/factory/examples/{id}/edit', {
  summary: 'Replace the messages; the source does not change',
  params,
  body: z.object({ messages: z.array(ChatMessage).min(2).max(2000) }),
  response: ExampleDetail,
  errors: ['example_not_found', 'invalid_request', 'archive_damaged'],
})
export const dropExampleEdit = route.delete('dropExampleEdit', '/api/factory/examples/{id}/edit', {
  summary: 'Restore the messages of the source',
  params,
  response: ExampleDetail,
  errors: ['example_not_found', 'archive_damaged'],
})
