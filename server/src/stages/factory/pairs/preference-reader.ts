import type { ExampleOptions, ReviewState } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { Candidate, RowReader, RowSpec, ReaderItem } from '../curate/candidate.ts'
import { readRow, sessionStart } from './read.ts'
import type { FoundPair, DroppedCount } from './types.ts'

export interface PreferencePiece {
  options: ExampleOptions
  review: RowSpec['review']
  pairs: { pair: FoundPair; state: ReviewState }[]
  /** Counts of the whole search, in the first piece only. */
  dropped: DroppedCount[]
}

function lineageOf({ source, similarity, chosen, rejected, flags }: FoundPair): Candidate['pair'] {
  const side = ({ traceId, exampleId, stepId }: FoundPair['chosen']) => ({ traceId, exampleId, stepId })
  return { source, similarity, chosen: side(chosen), rejected: side(rejected), flags }
}

/** Rows with a prompt, a chosen and a rejected answer; both sessions of a pair go into the same split. */
export const reader: RowReader = {
  *rows(piece, { database, archive }) {
    const { options, review, pairs, dropped } = piece as PreferencePiece // from the plan of preferenceSource
    const db = readOnlyOfThread(database)
    const drop = (stage: string, reason: string, pair: FoundPair | null): ReaderItem => ({
      kind: 'dropped',
      dropped: { stage, reason, traceId: pair?.rejected.traceId ?? null, exampleId: pair?.id ?? null, detail: pair?.why ?? null },
    })
    const droppedTotal = dropped.reduce((sum, { count }) => sum + count, 0)
    yield { kind: 'counted', segments: pairs.length + droppedTotal, candidateCount: pairs.length }
    for (const { reason, count } of dropped) for (let at = 0; at < count; at += 1) yield drop('segments', reason, null)
    for (const { pair, state } of pairs) {
      if (state === 'rejected') yield drop('review', 'rejected in review', pair)
      else if (review === 'accepted' && state !== 'accepted') yield drop('review', 'not accepted in review', pair)
      else {
        const row = readRow(db, archive, pair, options)
        if (!row) yield drop('review', 'the session has changed', pair)
        else {
          const { chosen, rejected } = pair
          yield {
            kind: 'row',
            candidate: {
              id: pair.id,
              traceIds: [...new Set([rejected.traceId, chosen.traceId])],
              group: null,
              stepIds: [...row.prompt, ...row.chosen, ...row.rejected].map(() => null),
              segmentId: null,
              repo: pair.repo,
              tier: chosen.tier,
              quality: chosen.quality,
              scoreVersion: null,
              at: sessionStart(db, rejected.traceId),
              pair: lineageOf(pair),
              row,
            },
          }
        }
      }
    }
  },
}
