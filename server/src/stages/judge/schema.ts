import { parks, WAITS } from '#server/db/parks.ts'
import { drops, keeps, type Schema } from '#server/db/schema.ts'
import { benchmarks } from './migrations/0038-benchmarks.ts'
import { exams } from './migrations/0037-exams.ts'
import { answers } from './migrations/0039-answers.ts'
import { solvedTasks } from './migrations/0041-solved-tasks.ts'
import { modelVerdicts } from './migrations/0044-model-verdicts.ts'
import { thermometer } from './migrations/0051-thermometer.ts'
import { verdictsThatCount } from './migrations/0064-verdicts-that-count.ts'

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
    benchmark_sets: keeps('names and hashes of public sets'),
    benchmark_items: keeps('questions and tests, which run in sandboxes only'),
    benchmark_runs: parks({
      kind: 'benchmark-run',
      rows: `SELECT id, label AS title, state = 'running' AS active, request AS named FROM benchmark_runs ORDER BY no`,
      end: [`UPDATE benchmark_runs SET state = 'stopped', detail = ${WAITS} WHERE state = 'running'`],
    }),
    benchmark_answers: keeps('texts that models wrote, which run in sandboxes only'),
    benchmark_verdicts: keeps('results'),
    answer_rubrics: keeps('words that models are asked with'),
    answer_sets: keeps('names of own sets'),
    answer_cases: keeps('texts; commands among them run in sandboxes only'),
    answer_runs: parks({
      kind: 'answer-run',
      rows: `SELECT id, title, state = 'running' AS active, request AS named FROM answer_runs ORDER BY no`,
      end: [
        `UPDATE answer_runs SET state = 'stopped', detail = 'Restored from a backup. It waits for "Use again" in Settings.' WHERE state = 'running'`,
      ],
    }),
    answer_items: keeps('texts, which passed the gate'),
    answer_grades: keeps('what models wrote'),
    answer_known: keeps('what models wrote'),
    answer_labels: keeps('grades of the user'),
    exam_candidates: keeps('why sessions gave no task'),
    exam_tasks: keeps('tasks, whose files are not part of a backup: a run without them fails with that reason'),
    exam_attempts: keeps('results of runs'),
    thermometer: drops('it would send requests: only the user switches it on'),
    thermometer_readings: keeps('when runs were readings'),
  },
  published: ['model_verdicts', 'proven_models', 'exam_run_heads', 'exam_sessions'],
  fileNames: [],
  migrations: [exams, benchmarks, answers, solvedTasks, modelVerdicts, thermometer, verdictsThatCount],
}
