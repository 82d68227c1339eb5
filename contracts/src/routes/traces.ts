import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Agent, Cursor, csv, Limit, page, Tag, TagChange, Tier, TraceId, Verification } from '../entities/common.ts'
import { FoundLine } from '../found-line.ts'
import { Step, TimelineRow, TranscriptItem } from '../entities/step.ts'
import { DecidedTrace, Decision, SavedView, Trace, TraceDetail } from '../entities/trace.ts'
import { notAPlace } from '../places.ts'

const route = routesOf('traces')
const views = routesOf('views')
const params = z.object({ id: TraceId })
const Reason = z.string().max(2000).optional()

export const TraceSort = z
  .enum([
    '-startedAt',
    'startedAt',
    '-endedAt',
    'endedAt',
    '-quality',
    'quality',
    '-tokens',
    'tokens',
    '-cost',
    'cost',
    '-toolCalls',
    'toolCalls',
    '-duration',
    'duration',
    '-working',
    'working',
    '-waiting',
    'waiting',
    'title',
    '-title',
    'repo',
    '-repo',
    'tier',
    '-tier',
    'answerScore',
    '-answerScore',
  ])
  .meta({ id: 'TraceSort', description: 'a leading minus sorts in descending order; unknown values come last' })

/** A filter in the language of `q` (`tier:gold repo:api tool:Bash exit:!0 cost:>0.5 tokens:>50k age:<7d "free text"`) or as parameters. */
export const TraceFilter = z.object({
  q: z.string().max(2000).optional(),
  tier: csv(Tier).optional(),
  repo: notAPlace(z.string().max(400), 'compared with the repositories of sessions').optional(),
  agent: csv(Agent).optional(),
  verification: csv(Verification).optional(),
  from: z.string().max(40).optional().meta({ description: 'ISO 8601; sessions that ended at or after' }),
  to: z.string().max(40).optional().meta({ description: 'ISO 8601; sessions that started before' }),
})
export type TraceFilter = z.infer<typeof TraceFilter>

const Count = z.object({ value: z.string(), count: z.number().int() })
export const TraceFacets = z
  .object({
    total: z.number().int(),
    tier: z.array(Count),
    repo: z.array(Count),
    agent: z.array(Count),
    verification: z.array(Count),
    tag: z.array(Count),
    tool: z.array(Count),
    model: z.array(Count),
    grades: z
      .array(z.number().int())
      .length(5)
      .optional()
      .meta({ description: 'sessions by the mean grade of a model, in fifths of 0–1; left out where none has one' }),
    days: z
      .array(
        z.object({
          day: z.string(),
          gold: z.number().int(),
          silver: z.number().int(),
          bronze: z.number().int(),
          failed: z.number().int(),
          pending: z.number().int(),
        }),
      )
      .optional()
      .meta({
        description: 'sessions by the day (YYYY-MM-DD, UTC) on which they started, oldest first; days without sessions are left out',
      }),
  })
  .meta({ id: 'TraceFacets' })

export const listTraces = route.get('listTraces', '/api/traces', {
  summary: 'Sessions, filtered, sorted, paged',
  query: TraceFilter.extend({ sort: TraceSort.default('-startedAt'), cursor: Cursor, limit: Limit }),
  response: page(Trace).extend({
    totalIsLowerBound: z
      .boolean()
      .optional()
      .meta({ description: 'true if a text has more than 20,000 hits; then only sessions with the newest hits are listed and counted' }),
  }),
  errors: ['filter_invalid'],
})
export const getHitLines = route.get('getHitLines', '/api/traces/hit-lines', {
  summary: 'For each of these sessions, the first line with the words of a filter, read from the archive',
  query: z.object({ q: z.string().max(2000), ids: csv(TraceId) }),
  response: z.object({ items: z.array(z.object({ traceId: TraceId, entryId: z.string(), line: FoundLine })) }),
  errors: ['filter_invalid'],
})
export const getTracePlace = route.get('getTracePlace', '/api/traces/{id}/place', {
  summary: 'The position of a session in the filtered and sorted list',
  params: z.object({ id: TraceId }),
  query: TraceFilter.extend({ sort: TraceSort.default('-startedAt') }),
  response: z.object({ place: z.number().int().nullable().meta({ description: 'from 0; null if the session does not match the filter' }) }),
  errors: ['filter_invalid'],
})
export const getTraceFacets = route.get('getTraceFacets', '/api/traces/facets', {
  summary: 'Counts by tier, repository, agent, verification, tag, tool, model, day under a filter',
  query: TraceFilter,
  response: TraceFacets,
  errors: ['filter_invalid'],
})
export const getTrace = route.get('getTrace', '/api/traces/{id}', {
  summary: 'One session with its score, sub-agents, files and archive',
  params,
  query: z.object({
    segments: z.stringbool().default(true).meta({ description: 'false omits its tasks, which take seconds in a session of 20,000 calls' }),
  }),
  response: TraceDetail,
  errors: ['trace_not_found'],
})
export const listSteps = route.get('listSteps', '/api/traces/{id}/steps', {
  summary: 'Tool calls of a session, in order',
  params,
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(Step),
  errors: ['trace_not_found', 'archive_damaged'],
})
export const getStep = route.get('getStep', '/api/traces/{id}/steps/{stepId}', {
  summary: 'A tool call with its whole output',
  params: z.object({ id: TraceId, stepId: z.string().max(400) }),
  response: Step,
  errors: ['trace_not_found', 'not_found', 'archive_damaged'],
})
export const listTranscript = route.get('listTranscript', '/api/traces/{id}/transcript', {
  summary: 'Prompts, answers, thinking, notices and calls, in order',
  params,
  query: z.object({ cursor: Cursor, limit: Limit, at: z.string().max(200).optional().meta({ description: 'start at this position' }) }),
  response: page(TranscriptItem),
  errors: ['trace_not_found', 'archive_damaged'],
})
export const getTimeline = route.get('getTimeline', '/api/traces/{id}/timeline', {
  summary: 'A small row for every item of a session, in pages; or only rows that changed since an earlier response',
  params,
  query: z.object({
    since: z.coerce
      .number()
      .int()
      .min(0)
      .optional()
      .meta({ description: '`rev` of an earlier response; returns only rows that are new or changed since' }),
    cursor: Cursor,
  }),
  response: z.object({
    rev: z.number().int(),
    total: z.number().int().meta({
      description:
        'number of items; if it is smaller than what the caller has with `rows`, items were removed, so call again without `since`',
    }),
    rows: z.array(TimelineRow),
    nextCursor: z.string().nullable(),
  }),
  errors: ['trace_not_found'],
})
export const getRaw = route.get('getRaw', '/api/traces/{id}/raw', {
  summary: 'The archived bytes, unchanged: the newest main file, one source, or all as a tar',
  params,
  query: z.object({
    source: notAPlace(z.string().max(200), 'the name of a row of the archive').optional(),
    all: z.stringbool().optional(),
  }),
  produces: 'application/octet-stream',
  errors: ['trace_not_found', 'source_not_found', 'archive_damaged'],
})
export const exportTrace = route.get('exportTrace', '/api/traces/{id}/export', {
  summary: 'Export a session for other tools, with secrets and personal data replaced: ATIF 1.7, including sub-agents',
  params,
  query: z.object({ format: z.enum(['atif']).default('atif') }),
  produces: 'application/json',
  errors: ['trace_not_found', 'not_found', 'archive_damaged'],
})
export const promoteTrace = route.post('promoteTrace', '/api/traces/{id}/promote', {
  summary: 'Set the tier of a trace by hand',
  params,
  body: z.object({ tier: Tier.default('gold'), reason: Reason }),
  response: DecidedTrace,
  errors: ['trace_not_found'],
})
export const demoteTrace = route.post('demoteTrace', '/api/traces/{id}/demote', {
  summary: 'Set a lower tier by hand',
  params,
  body: z.object({ tier: Tier.default('failed'), reason: Reason }),
  response: DecidedTrace,
  errors: ['trace_not_found'],
})
export const undoTier = route.post('undoTier', '/api/traces/{id}/tier/undo', {
  summary: 'Undo the newest active tier decision',
  params,
  body: z.object({
    decisionId: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'only if this is the newest active decision; refused if there is a newer one' }),
  }),
  response: Trace,
  errors: ['trace_not_found', 'nothing_to_undo'],
})
export const unsetTier = route.delete('unsetTier', '/api/traces/{id}/tier', {
  summary: 'Let the policy decide the tier again',
  params,
  response: DecidedTrace,
  errors: ['trace_not_found'],
})
export const listDecisions = route.get('listDecisions', '/api/traces/{id}/decisions', {
  summary: 'Who set the tier, when, why',
  params,
  response: z.object({ items: z.array(Decision) }),
  errors: ['trace_not_found'],
})
export const changeTags = route.patch('changeTags', '/api/traces/{id}/tags', {
  summary: 'Add and remove tags',
  params,
  body: TagChange,
  response: Trace,
  errors: ['trace_not_found', 'invalid_request'],
})
export const setNote = route.put('setNote', '/api/traces/{id}/note', {
  summary: 'Replace the note; null removes it',
  params,
  body: z.object({ note: z.string().max(20_000).nullable() }),
  response: Trace,
  errors: ['trace_not_found'],
})
export const forgetTrace = route.delete('forgetTrace', '/api/traces/{id}', {
  summary: 'Remove a session for good: rows, search index, archive',
  params,
  response: z.object({ removed: z.literal(true) }),
  errors: ['trace_not_found'],
})

/** A selection is a list of ids, or everything that a filter matches. */
export const Selection = z
  .union([z.object({ ids: z.array(TraceId).min(1).max(10_000) }), z.object({ filter: TraceFilter })])
  .meta({ id: 'Selection' })
export const BulkAction = z
  .discriminatedUnion('action', [
    z.object({ action: z.literal('tier'), tier: Tier, reason: Reason }),
    z.object({ action: z.literal('unset-tier') }),
    z.object({ action: z.literal('add-tag'), tag: Tag }),
    z.object({ action: z.literal('remove-tag'), tag: Tag }),
  ])
  .meta({ id: 'BulkAction' })
export const bulkTraces = route.post('bulkTraces', '/api/traces/bulk', {
  summary: 'Change many traces; one undo reverts all',
  body: z.object({ selection: Selection, act: BulkAction }),
  response: z.object({ bulkId: z.string(), changed: z.number().int() }),
  errors: ['filter_invalid'],
})
export const undoBulk = route.post('undoBulk', '/api/traces/bulk/{bulkId}/undo', {
  summary: 'Undo a bulk change',
  params: z.object({ bulkId: z.string().max(100) }),
  body: z.object({}),
  response: z.object({ changed: z.number().int() }),
  errors: ['nothing_to_undo'],
})

export const listViews = views.get('listViews', '/api/views', {
  summary: 'Saved views',
  response: z.object({ items: z.array(SavedView) }),
})
export const saveView = views.post('saveView', '/api/views', {
  summary: 'Save a filter under a name; the same name is replaced',
  body: z.object({ name: z.string().trim().min(1).max(80), query: z.string().max(2000), sort: TraceSort.default('-startedAt') }),
  response: SavedView,
  errors: ['filter_invalid'],
})
export const deleteView = views.delete('deleteView', '/api/views/{id}', {
  summary: 'Delete a saved view',
  params: z.object({ id: z.string().max(100) }),
  response: z.object({ removed: z.literal(true) }),
  errors: ['view_not_found'],
})
