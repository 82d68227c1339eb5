import type { ShadowFigures } from '#contracts/entities/routing.ts'
import type { Database } from '#server/db/open.ts'

export interface ShadowFiguresOf {
  modelId: string
  /** Sessions in exams, of which no row is made. */
  examined: readonly string[]
}

/** Figures of the answers of a model in the shadow. They are behind long texts in each row, so this takes some 100 ms. */
export function readShadowFigures(db: Database, { modelId, examined }: ShadowFiguresOf): ShadowFigures {
  const { better, worse, equal, ...rest } = db
    .prepare<[string], Record<'answers' | 'failed' | 'compared' | 'same' | 'better' | 'worse' | 'equal', number>>(
      `SELECT count(*) AS answers, count(*) FILTER (WHERE error IS NOT NULL) AS failed, count(same) AS compared, coalesce(sum(same), 0) AS same,
         count(*) FILTER (WHERE verdict = 'better') AS better, count(*) FILTER (WHERE verdict = 'worse') AS worse,
         count(*) FILTER (WHERE verdict = 'same') AS equal
       FROM shadow_answers WHERE model_id = ?`,
    )
    .get(modelId)!
  const usable = db
    .prepare<[], { trace_id: string; n: number }>(
      `SELECT trace_id, count(*) AS n FROM shadow_answers
       WHERE pair IS NOT NULL AND unfit IS NULL AND verdict IN ('better', 'worse') AND trace_id IN (SELECT id FROM session_heads) GROUP BY trace_id`,
    )
    .all()
  const inExams = new Set(examined)
  const rows = usable.reduce((sum, { trace_id: trace, n }) => sum + (inExams.has(trace) ? 0 : n), 0)
  return { ...rest, judged: { better, worse, same: equal }, rows }
}
