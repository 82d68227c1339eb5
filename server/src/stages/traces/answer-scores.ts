import type { Database } from '#server/db/open.ts'

/** The grades that models gave sessions, for lists. */
export function createAnswerScores(db: Database) {
  const put = db.prepare('INSERT INTO trace_answer_scores (trace_id, score) VALUES (?, ?) ON CONFLICT DO UPDATE SET score = excluded.score')
  const drop = db.prepare('DELETE FROM trace_answer_scores WHERE trace_id = ?')
  return {
    put: (traceId: string, score: number | null): void => void (score === null ? drop.run(traceId) : put.run(traceId, score)),
    forget: (traceId: string): void => void drop.run(traceId),
  }
}
