import type { DroppedRow } from '#contracts/entities/dataset.ts'
import type { ChatMessage, ExampleOptions } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { callsOf, splitAtAnswer, type PartCounts, type ReaderItem, type RowReader, type RowSource } from '../curate/candidate.ts'
import { withVariants } from '../augment/variants.ts'
import { makeExamples } from '../examples/make.ts'
import type { BuiltExample, ExamplesOutput } from '../examples/types.ts'

interface Piece {
  traceIds: string[]
  kind: 'sft' | 'prompts' | 'rlvr'
  review: 'accepted' | 'not_rejected'
  options: ExampleOptions
}

const SESSIONS_PER_PIECE = 8

/** Rows of sessions: whole examples for SFT, only their prompts for the other kinds. */
export const exampleSource: RowSource = {
  kinds: ['sft', 'prompts', 'rlvr'],
  module: new URL('./examples-reader.ts', import.meta.url).href,
  plan: (chosen, { kind, review, examples }) =>
    Array.from({ length: Math.ceil(chosen.length / SESSIONS_PER_PIECE) }, (_, index) => ({
      traceIds: chosen.slice(index * SESSIONS_PER_PIECE, (index + 1) * SESSIONS_PER_PIECE),
      kind,
      review,
      options: examples,
    })),
}

export const reader: RowReader = {
  *rows(piece, { database, archive }) {
    const { traceIds, kind, review, options } = piece as Piece // from the plan above
    for (const traceId of traceIds) {
      const db = readOnlyOfThread(database)
      const output = makeExamples(db, { archive, traceId, options })
      if (output) yield* rowsOfSession(withVariants(db, output), kind, review)
    }
  },
}

function* rowsOfSession(
  { trace, segments, examples, excluded }: ExamplesOutput,
  kind: Piece['kind'],
  review: Piece['review'],
): Generator<ReaderItem> {
  const droppedRows = toDroppedRows(trace.id, examples, excluded)
  const candidateCount = examples.length + droppedRows.filter(({ stage }) => stage === 'review').length
  yield { kind: 'counted', segments: segments.length, candidateCount, split: countParts(examples, excluded) }
  for (const dropped of droppedRows) yield { kind: 'dropped', dropped }
  const drop = (stage: string, reason: string, exampleId: string | null, detail: string | null): ReaderItem => ({
    kind: 'dropped',
    dropped: { stage, reason, traceId: trace.id, exampleId, detail },
  })
  const rejected = new Set(examples.filter(({ state }) => state === 'rejected').map(({ id }) => id))
  for (const example of examples) {
    if (example.parentId !== undefined && rejected.has(example.parentId))
      yield drop('review', 'original rejected in review', example.id, example.parentId)
    else if (example.state === 'rejected') yield drop('review', 'rejected in review', example.id, null)
    else if (review === 'accepted' && example.state !== 'accepted') yield drop('review', 'not accepted in review', example.id, null)
    else {
      const { messages, tools } = example
      if (kind === 'sft' && example.flags.includes('no_solution')) {
        yield drop('review', 'task without a solution', example.id, null)
        continue
      }
      if (kind === 'rlvr' && referenceCalls(messages).length === 0) {
        yield drop('review', 'no tool call to compute a reward from', example.id, null)
        continue
      }
      yield {
        kind: 'row',
        candidate: {
          id: example.id,
          traceIds: [trace.id],
          group: null,
          segmentId: example.segmentId,
          repo: trace.repo,
          tier: trace.tier,
          quality: trace.quality,
          scoreVersion: trace.scoreVersion,
          at: trace.startedAt === null ? null : Date.parse(trace.startedAt),
          ...(example.parentId !== undefined && { variantOf: example.parentId }),
          ...(example.generatedBy !== undefined && { generatedBy: example.generatedBy }),
          ...(kind === 'sft' ? { row: { messages, tools }, stepIds: example.stepIds } : promptOf(example, kind)),
        },
      }
    }
  }
}

/** Counts each exclusion at the stage of its unit: a session without segments, a whole segment, or one part of a split segment. */
export function toDroppedRows(traceId: string, examples: readonly BuiltExample[], excluded: ExamplesOutput['excluded']): DroppedRow[] {
  const countedSegments = new Set(examples.map(({ segmentId }) => segmentId))
  return excluded.map(({ reason, segmentId, detail }) => {
    const stage = segmentId === null ? 'filter' : countedSegments.has(segmentId) ? 'review' : 'segments'
    if (segmentId !== null) countedSegments.add(segmentId)
    return { stage, reason, traceId, exampleId: null, detail: detail ?? segmentId }
  })
}

/** Parts after the first of each segment, including unusable ones. */
function countParts(examples: readonly BuiltExample[], excluded: ExamplesOutput['excluded']): PartCounts {
  const parts = new Map<string, number>()
  const variants = examples.filter(({ parentId }) => parentId !== undefined)
  for (const { segmentId } of [...examples.filter(({ parentId }) => parentId === undefined), ...excluded])
    if (segmentId !== null) parts.set(segmentId, (parts.get(segmentId) ?? 0) + 1)
  const split = [...parts.values()].filter((count) => count > 1)
  return { splitSegments: split.length, parts: split.reduce((sum, count) => sum + count - 1, 0), variants: variants.length }
}

/** The prompt without the answer; for RLVR also the calls of the recorded solution, for computing a reward. */
function promptOf({ messages, tools, stepIds }: BuiltExample, kind: 'prompts' | 'rlvr') {
  const { prompt } = splitAtAnswer(messages)
  const row = { prompt, tools, ...(kind === 'rlvr' && { reference_calls: referenceCalls(messages) }) }
  return { row, stepIds: stepIds.slice(0, prompt.length) }
}

/** Name and arguments of each call of the recorded answer, in order. */
const referenceCalls = (messages: readonly ChatMessage[]) =>
  messages.flatMap(callsOf).map((call) => ({ name: call.function.name, arguments: call.function.arguments }))
