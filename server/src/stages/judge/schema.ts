import { parks } from '#server/db/parks.ts'
import { keeps, type Schema } from '#server/db/schema.ts'
import { exams } from './migrations/0037-exams.ts'
import { modelVerdicts } from './migrations/0040-model-verdicts.ts'

export const examSchema: Schema = {
  own: {
    exams: keeps('names and settings of exams'),
    exam_sessions: keeps('which sessions are held out, and texts that rows are compared with'),
    exam_items: keeps('texts, which pass the gate like any other before they leave this machine'),
    exam_runs: parks({
      kind: 'exam-run',
      rows: `SELECT id, sides ->> '$.labels.model' AS title, state IN ('queued', 'running') AS active, request AS named FROM exam_runs ORDER BY no`,
      end: [
        `UPDATE exam_runs SET state = 'paused', detail = 'Restored from a backup. It waits for "Use again" in Settings.'
         WHERE state IN ('queued', 'running')`,
        'UPDATE exam_runs SET queue_place = NULL',
      ],
    }),
    exam_repeats: keeps('which answers count'),
    exam_answers: keeps('texts that models wrote'),
    exam_certificates: keeps('results'),
  },
  published: ['model_verdicts', 'proven_models', 'exam_run_heads', 'exam_sessions'],
  fileNames: [],
  migrations: [exams, modelVerdicts],
}
