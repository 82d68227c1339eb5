import type { ExamKind } from '#contracts/entities/exam.ts'
import type { Core } from '#server/core.ts'
import { ALONE, BY_STUDENT, WITH_SESSION } from '../figures/outcome.ts'

export interface Used {
  passed: number
  items: number
  sessions: number
}

/** Conversations are decided in far less time than it takes to count all answers. */
const KEPT_MS = 60_000

/** What was measured of a model at work: whole sessions that it answered alone, and single answers that were reported. */
export function createUsed({ db, now }: Pick<Core, 'db' | 'now'>) {
  const FROM = `FROM ${WITH_SESSION} WHERE d.student_id = @model AND d.at >= @from AND ${BY_STUDENT}`
  const counts = {
    solved_tasks: db.prepare<{ model: string; from: number }, Used>(
      `SELECT coalesce(sum(value), 0) AS passed, count(*) AS items, count(*) AS sessions FROM (
         SELECT max(coalesce(CASE h.verification WHEN 'passed' THEN 1.0 WHEN 'failed' THEN 0.0 END, g.score)) AS value ${FROM}
           AND d.trace_id IS NOT NULL AND ${ALONE} GROUP BY d.trace_id HAVING value IS NOT NULL)`,
    ),
    next_calls: db.prepare<{ model: string; from: number }, Used>(
      `SELECT coalesce(sum(d.success), 0) AS passed, count(*) AS items, count(DISTINCT coalesce(d.trace_id, d.no)) AS sessions ${FROM}
         AND d.success IS NOT NULL`,
    ),
  } satisfies Record<ExamKind, unknown>
  let known: { key: string; at: number; of: Record<ExamKind, Used> } | null = null

  return {
    /** `isFresh`: counted now, not within the last minute. */
    of(model: string, from: number, isFresh: boolean): Record<ExamKind, Used> {
      const key = `${model} ${from}`
      if (isFresh || known?.key !== key || now() - known.at > KEPT_MS) {
        const values = { model, from }
        known = { key, at: now(), of: { solved_tasks: counts.solved_tasks.get(values)!, next_calls: counts.next_calls.get(values)! } }
      }
      return known.of
    },
  }
}
