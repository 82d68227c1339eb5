import { AnswerRunRequest } from '#contracts/entities/answer.ts'
import { ExamRunRequest } from '#contracts/entities/exam.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { answerRoutes } from './answers/routes.ts'
import { type AnswerDeps, createAnswers } from './answers/service.ts'
import { examRoutes } from './exam/routes.ts'
import { createExams, type ExamDeps } from './exam/service.ts'
import { statisticsRoutes } from './routes.ts'

export { computeStatistics } from './statistics.ts'

/** Proof on held-out work whether a model got better: exams of recorded calls and their statistics; grades of answers by models. */
export function createJudge(core: Core, deps: ExamDeps & AnswerDeps) {
  const exams = createExams(core, deps)
  const answers = createAnswers(core, deps)
  const stage: Stage = {
    name: 'judge',
    routes: [...statisticsRoutes(core), ...examRoutes(core, exams), ...answerRoutes(core, answers)],
    stored: {
      examRun: ({ params }) => [{ schema: ExamRunRequest, value: exams.store.requireRun((params as { run: string }).run).request }], // of routes with a run
      answerRun: ({ params }) => [{ schema: AnswerRunRequest, value: answers.store.require((params as { id: string }).id).request }], // of routes with an id
    },
    forget(traceId) {
      exams.forget(traceId)
      answers.forget(traceId)
    },
    start(options) {
      exams.runs.open(options)
      answers.open(options)
    },
    async close() {
      await Promise.all([exams.runs.close(), answers.close()])
    },
    startAgain: {
      'answer-run': (id) => answers.start(answers.store.require(id), undefined),
      'exam-run': (id) => exams.runs.resume(exams.store.requireRun(id), undefined),
    },
  }
  return { stage, examined: exams.examined, examinedRows: exams.examinedRows }
}
