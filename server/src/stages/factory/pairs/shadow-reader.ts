import { readOnlyOfThread } from '#server/db/thread.ts'
import type { ReaderItem, RowReader } from '../curate/candidate.ts'
import { sessionStart } from './read.ts'
import { shadowRow, type ShadowPair, type ShadowPiece, unfitReason } from './shadow.ts'

/** Why a judged pair gives no row; null if it gives one. */
function refusalOf({ verdict, verdictBy, pair }: ShadowPair, review: ShadowPiece['review']): string | null {
  if (verdict === 'same') return 'judged the same'
  if (review === 'accepted' && verdictBy !== null) return 'not accepted in review'
  return unfitReason(pair)
}

export const reader: RowReader = {
  *rows(piece, { database }): Generator<ReaderItem> {
    const { review, pairs } = piece as ShadowPiece // from the plan of shadowSource
    const db = readOnlyOfThread(database)
    const head = db.prepare<[string], { repo: string | null; tier: string | null; quality: number | null }>(
      'SELECT repo, tier, quality FROM session_heads WHERE id = ?',
    )
    yield { kind: 'counted', segments: 0, candidateCount: pairs.length }
    for (const one of pairs) {
      const { id, traceId } = one
      const reason = refusalOf(one, review)
      if (reason !== null) {
        yield { kind: 'dropped', dropped: { stage: 'review', reason, traceId, exampleId: id, detail: null } }
        continue
      }
      const row = shadowRow(one)
      const side = { traceId, exampleId: null, stepId: null }
      yield {
        kind: 'row',
        candidate: {
          id,
          traceIds: [traceId],
          group: null,
          stepIds: [...row.prompt, ...row.chosen, ...row.rejected].map(() => null),
          segmentId: null,
          ...(head.get(traceId) ?? { repo: null, tier: null, quality: null }),
          scoreVersion: null,
          at: sessionStart(db, traceId),
          pair: { source: 'shadow', similarity: null, chosen: side, rejected: side, flags: [] },
          row,
        },
      }
    }
  },
}
