import type { ExampleOptions, ReviewState } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { Candidate, RowReader, RowSpec, Sourced } from '../curate/candidate.ts'
import { rowOf, startOf } from './read.ts'
import type { FoundPair, LeftOut } from './types.ts'

export interface PreferencePiece {
  options: ExampleOptions
  review: RowSpec['review']
  pairs: { pair: FoundPair; state: ReviewState }[]
  /** What the search left out, reported once. */
  left: LeftOut[]
}

/** Where a row comes from: its source, both sides with session and step, how alike they are, and what is odd about it. */
function lineageOf({ source, similarity, chosen, rejected, flags }: FoundPair): Candidate['pair'] {
  const side = ({ traceId, exampleId, stepId }: FoundPair['chosen']) => ({ traceId, exampleId, stepId })
  return { source, similarity, chosen: side(chosen), rejected: side(rejected), flags }
}

/** Rows of prompt, chosen and rejected; both sessions of a pair are on one side of the split. */
export const reader: RowReader = {
  *rows(piece, { database, archive }) {
    const { options, review, pairs, left } = piece as PreferencePiece // from the plan of preferenceSource
    const db = readOnlyOfThread(database)
    const drop = (stage: string, reason: string, pair: FoundPair | null): Sourced => ({
      kind: 'dropped',
      dropped: { stage, reason, traceId: pair?.rejected.traceId ?? null, exampleId: pair?.id ?? null, detail: pair?.why ?? null },
    })
    const leftOut = left.reduce((sum, { count }) => sum + count, 0)
    yield { kind: 'counted', segments: pairs.length + leftOut, made: pairs.length }
    for (const { reason, count } of left) for (let at = 0; at < count; at += 1) yield drop('segments', reason, null)
    for (const { pair, state } of pairs) {
      if (state === 'rejected') yield drop('review', 'rejected in review', pair)
      else if (review === 'accepted' && state !== 'accepted') yield drop('review', 'not accepted in review', pair)
      else {
        const row = rowOf(db, archive, pair, options)
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
              at: startOf(db, rejected.traceId),
              pair: lineageOf(pair),
              row,
            },
          }
        }
      }
    }
  },
}
