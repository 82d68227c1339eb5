import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { TraceId } from '../entities/common.ts'
import { ExampleDetail, ExampleOptions, ExcludedSegment, Segment, SegmentCut } from '../entities/example.ts'

const route = routesOf('segments')
const params = z.object({ id: TraceId })
const Segments = z.object({
  items: z.array(Segment),
  cuts: z.array(SegmentCut).meta({ description: 'the current cuts of the user' }),
  canUndo: z.boolean(),
  together: z
    .array(z.string())
    .meta({ description: 'steps in the same response as the step before; a boundary at one moves to the first of them' }),
})

export const listSegments = route.get('listSegments', '/api/traces/{id}/segments', {
  summary: 'Tasks in a session, each with the reason for its beginning',
  params,
  response: Segments,
  errors: ['trace_not_found', 'archive_damaged'],
})
export const setSegmentCuts = route.put('setSegmentCuts', '/api/traces/{id}/segments/cuts', {
  summary: 'Replace the cuts of the user: steps with or without a boundary',
  params,
  body: z.object({ cuts: z.array(SegmentCut).max(1000) }),
  response: Segments,
  errors: ['trace_not_found', 'invalid_request', 'archive_damaged'],
})
export const resetSegmentCuts = route.delete('resetSegmentCuts', '/api/traces/{id}/segments/cuts', {
  summary: 'Remove the cuts of the user, so that the rules decide',
  params,
  response: Segments,
  errors: ['trace_not_found', 'archive_damaged'],
})
export const undoSegmentCuts = route.post('undoSegmentCuts', '/api/traces/{id}/segments/cuts/undo', {
  summary: 'Undo the latest change of the cuts',
  params,
  body: z.object({}),
  response: Segments,
  errors: ['trace_not_found', 'nothing_to_undo', 'archive_damaged'],
})
export const generateExamples = route.post('generateExamples', '/api/traces/{id}/generate-examples', {
  summary: 'The examples of a session of any tier, with exclusions and reasons; nothing is stored',
  params,
  body: z.object({ options: ExampleOptions.prefault({}) }),
  response: z.object({ segments: z.array(Segment), examples: z.array(ExampleDetail), excluded: z.array(ExcludedSegment) }),
  errors: ['trace_not_found', 'archive_damaged'],
})
