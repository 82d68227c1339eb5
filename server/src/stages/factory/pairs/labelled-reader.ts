import type { ChatMessage, ExampleOptions } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { Candidate, LabelledRow, RowReader, RowSpec, ReaderItem } from '../curate/candidate.ts'
import { pairId } from './id.ts'
import { readLabelled, sessionStart } from './read.ts'

interface Piece {
  options: ExampleOptions
  review: RowSpec['review']
  traceIds: string[]
}

/** Rows with a prompt, a completion and a label. Of failed sessions, the steps that failed are unwanted. Sessions that are neither good nor failed give only their corrections. */
export const reader: RowReader = {
  *rows(piece, { database, archive }) {
    const { options, review, traceIds } = piece as Piece // from the plan of labelledSource
    const db = readOnlyOfThread(database)
    for (const traceId of traceIds) {
      const labelled = readLabelled(db, { archive, traceId, options })
      if (!labelled) continue
      const { trace, examples, corrections, segments, dropped: droppedRows } = labelled
      const drop = (reason: string, exampleId: string): ReaderItem => ({
        kind: 'dropped',
        dropped: { stage: 'review', reason, traceId, exampleId, detail: null },
      })
      const candidate = (id: string, segmentId: string | null, stepIds: (string | null)[], row: LabelledRow): Candidate => ({
        id,
        traceIds: [traceId],
        group: null,
        stepIds,
        segmentId,
        repo: trace.repo,
        tier: trace.tier,
        quality: trace.quality,
        scoreVersion: trace.scoreVersion,
        at: sessionStart(db, traceId),
        row,
      })
      const droppedParts = droppedRows.filter(({ stage }) => stage === 'review')
      yield { kind: 'counted', segments, candidateCount: examples.length + droppedParts.length + corrections.length * 2 }
      for (const dropped of droppedRows) yield { kind: 'dropped', dropped }
      for (const { example, prompt, answer, label, unwanted } of examples) {
        if (label === null) yield drop(`tier ${trace.tier} gives no label`, example.id)
        else if (example.state === 'rejected') yield drop('rejected in review', example.id)
        else if (review === 'accepted' && example.state !== 'accepted') yield drop('not accepted in review', example.id)
        else if (label) {
          const row = { prompt, completion: answer, label, tools: example.tools }
          yield { kind: 'row', candidate: candidate(example.id, example.segmentId, example.stepIds, row) }
        } else {
          for (const { at, prompt: before, completion } of unwanted) {
            const row = { prompt: before, completion, label, tools: example.tools }
            const id = pairId('label', example.id, String(at))
            yield { kind: 'row', candidate: candidate(id, example.segmentId, example.stepIds.slice(0, at + 1), row) }
          }
        }
      }
      for (const { decision, tools } of corrections) {
        const { prompt, chosen, rejected, chosenMessages, rejectedMessages } = decision
        const row = (stepId: string, completion: ChatMessage[], label: boolean): ReaderItem => ({
          kind: 'row',
          candidate: candidate(pairId('label', stepId, String(label)), null, [...prompt.map(() => null), ...completion.map(() => stepId)], {
            prompt,
            completion,
            label,
            tools,
          }),
        })
        yield row(chosen.stepId, chosenMessages, true)
        yield row(rejected.stepId, rejectedMessages, false)
      }
    }
  },
}
