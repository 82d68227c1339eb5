import { ExamRunRequest } from '#contracts/entities/exam.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { examRoutes } from './exam/routes.ts'
import { createExams, type ExamDeps } from './exam/service.ts'
import { statisticsRoutes } from './routes.ts'

export { computeStatistics } from './statistics.ts'

/** Proof on held-out work whether a model got better: exams of recorded calls, and the statistics of them. */
export function createJudge(core: Core, deps: ExamDeps) {
  const exams = createExams(core, deps)
  const stage: Stage = {
    name: 'judge',
    routes: [...statisticsRoutes(core), ...examRoutes(core, exams)],
    stored: {
      examRun: ({ params }) => [{ schema: ExamRunRequest, value: exams.store.requireRun((params as { run: string }).run).request }], // of routes with a run
    },
    forget: (traceId) => exams.forget(traceId),
    start: (options) => exams.runs.open(options),
    close: () => exams.runs.close(),
    startAgain: { 'exam-run': (id) => exams.runs.resume(exams.store.requireRun(id), undefined) },
  }
  return { stage, verdictsOf: exams.verdictsOf, examined: exams.examined, examinedRows: exams.examinedRows }
}
